// The time at which the channels of a rank have something to do although
// nothing arrives, by the port's clock. May be earlier than necessary.
//
// Changed under the lock of the channels and read by any thread without it.
// Relaxed, since it guards no other data.
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
