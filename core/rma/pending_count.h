// Counts operations in progress, so that a thread can wait for them.
//
// A thread that posts an operation adds to the counter before the network can
// complete the operation. A thread that polls subtracts. Both threads are
// client threads inside GASNet, so without GASNET_PAR they never run
// concurrently. The conduit's own threads count nothing, with one exception:
// the thread that drains the network before the process ends may count, since
// no thread reads the counters any more.
//
// Memory order: End() releases the network's earlier writes and reads, and
// IsOver() acquires them. The subtractions of several threads form one release
// sequence, so a thread that reads 0 sees the data of all operations.
#ifndef CORE_RMA_PENDING_COUNT_H_
#define CORE_RMA_PENDING_COUNT_H_

#include <atomic>
#include <cstdint>

#include "core/thread/word.h"

namespace gasnet::rma {

class PendingCount {
 public:
  bool IsOver() const { return count_.load(std::memory_order_acquire) == 0; }

  // Returns the number of operations in progress, for reports.
  uint64_t Count() const { return count_.load(std::memory_order_relaxed); }

  void Begin() { Add(1, std::memory_order_relaxed); }
  void End() { Add(-uint64_t{1}, std::memory_order_release); }

 private:
  void Add(uint64_t n, std::memory_order order) {
    thread::FetchAdd(count_, n, order);
  }

  std::atomic<uint64_t> count_{0};
};

}  // namespace gasnet::rma

#endif  // CORE_RMA_PENDING_COUNT_H_
