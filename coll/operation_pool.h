// A pool of operation records. Any thread may use it.
#ifndef COLL_OPERATION_POOL_H_
#define COLL_OPERATION_POOL_H_

#include <atomic>
#include <cstddef>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "coll/operation.h"
#include "coll/tuning.h"
#include "core/thread/spin_lock.h"

namespace gasnet::coll {

class OperationPool {
 public:
  OperationPool() = default;
  OperationPool(const OperationPool&) = delete;
  OperationPool& operator=(const OperationPool&) = delete;
  // Deletes only the records in the pool. Records still in use are leaked.
  ~OperationPool() {
    while (idle_ != nullptr) delete std::exchange(idle_, idle_->next);
  }

  CollectiveOperation& Take() {
    const thread::Holder lock(lock_);
    if (idle_ == nullptr) return *new CollectiveOperation;
    CollectiveOperation& op = *idle_;
    idle_ = op.next;
    op.next = nullptr;
    return op;
  }

  // Returns a record to the pool. The record keeps the memory of its lists.
  void Give(CollectiveOperation& op) {
    op.state.store(0, std::memory_order_relaxed);
    op.stage = CollectiveOperation::Stage::kQueued;
    op.phase = 0;
    op.owners.clear();
    op.mine.clear();
    op.ins.clear();
    op.outs.clear();
    op.ins_left = 0;
    op.outs_left = 0;
    op.meetings[0] = {};
    op.meetings[1] = {};
    if (op.memory_bytes > kMaxKept) {
      op.memory.reset();
      op.memory_bytes = 0;
    }
    const thread::Holder lock(lock_);
    op.next = idle_;
    idle_ = &op;
  }

 private:
  thread::SpinLock lock_;
  CollectiveOperation* idle_ ABSL_GUARDED_BY(lock_) = nullptr;
};

}  // namespace gasnet::coll

#endif  // COLL_OPERATION_POOL_H_
