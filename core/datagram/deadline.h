// The time at which a rank's channels have work although nothing has arrived,
// by the port's clock. The time may be earlier than necessary.
//
// Written under the lock of the channels. Any thread reads it without the lock.
// Accesses are relaxed, since the time guards no other data.
#ifndef CORE_DATAGRAM_DEADLINE_H_
#define CORE_DATAGRAM_DEADLINE_H_

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::datagram {

class Deadline {
 public:
  int64_t time() const { return time_.load(std::memory_order_relaxed); }

  void NeedBy(int64_t time) {
    if (time < this->time()) time_.store(time, std::memory_order_relaxed);
  }
  void Clear() { time_.store(kNever, std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> time_{kNever};
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_DEADLINE_H_
