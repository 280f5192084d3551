// A queue of operations that were begun while another thread drove the node.
// Any thread may use the queue.
//
// The driving thread may miss an operation that is handed over just when this
// thread stops driving. driving.h explains how the operation is still found.
#ifndef COLL_HANDOVER_H_
#define COLL_HANDOVER_H_

#include <atomic>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "coll/operation.h"
#include "core/thread/spin_lock.h"

namespace gasnet::coll {

class Handover {
 public:
  void Give(CollectiveOperation& op) {
    const thread::Holder lock(lock_);
    (last_ == nullptr ? first_ : last_->next) = &op;
    last_ = &op;
    any_.store(true, std::memory_order_seq_cst);
  }

  // Returns true if the queue has an operation. The load is sequentially
  // consistent, like the store in Give, so that a thread that has just stopped
  // driving misses no operation.
  bool HasAny() const { return any_.load(std::memory_order_seq_cst); }

  // Takes all operations, linked by `next`. Returns null if there is none.
  CollectiveOperation* TakeAll() {
    // Relaxed: the lock orders accesses. If this load misses an operation,
    // HasAny finds it later.
    if (!any_.load(std::memory_order_relaxed)) return nullptr;
    const thread::Holder lock(lock_);
    last_ = nullptr;
    any_.store(false, std::memory_order_relaxed);
    return std::exchange(first_, nullptr);
  }

 private:
  thread::SpinLock lock_;
  CollectiveOperation* first_ ABSL_GUARDED_BY(lock_) = nullptr;
  CollectiveOperation* last_ ABSL_GUARDED_BY(lock_) = nullptr;
  std::atomic<bool> any_{false};
};

}  // namespace gasnet::coll

#endif  // COLL_HANDOVER_H_
