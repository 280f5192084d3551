// Counts what is under way for somebody who waits until it is over.
//
// A poster adds before the network can be through; a poller subtracts. Both are
// threads of the client inside GASNet, so without GASNET_PAR never at once. A
// thread of the conduit's own counts nothing; one that drains the network
// before the process ends may, since nobody asks any more.
//
// Memory order: End releases what the network wrote, or read for the last time,
// before; IsOver acquires it. The subtractions of several threads form one
// release sequence, so who sees the count at 0 sees the data of all.
#ifndef CORE_RMA_UNDER_WAY_H_
#define CORE_RMA_UNDER_WAY_H_

#include <atomic>
#include <cstdint>

#include "core/thread/word.h"

namespace gasnet::rma {

class UnderWay {
 public:
  bool IsOver() const { return count_.load(std::memory_order_acquire) == 0; }

  void Begin() { Add(1, std::memory_order_relaxed); }
  void End() { Add(-uint64_t{1}, std::memory_order_release); }

 private:
  void Add(uint64_t n, std::memory_order order) {
    thread::FetchAdd(count_, n, order);
  }

  std::atomic<uint64_t> count_{0};
};

}  // namespace gasnet::rma

#endif  // CORE_RMA_UNDER_WAY_H_
