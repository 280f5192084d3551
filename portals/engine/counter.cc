#include "portals/engine/counter.h"

#include "absl/base/thread_annotations.h"

namespace gasnet::portals4 {

namespace {

// Ends a Set that a dead process has left unfinished. Otherwise `sets` would
// stay odd, and every reader would wait for the lock.
void EndSet(CtRecord& ct) ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.lock) {
  const uint32_t sets = ct.sets.load(std::memory_order_relaxed);
  if (sets % 2 != 0) ct.sets.store(sets + 1, std::memory_order_seq_cst);
}

}  // namespace

void OpenCounter(CtRecord& ct) {
  const Holding holding(ct.lock);
  EndSet(ct);
  ct.success.store(0, std::memory_order_relaxed);
  ct.failure.store(0, std::memory_order_relaxed);
  ct.due_at.store(kNothingDue, std::memory_order_relaxed);
  ct.head.store(0, std::memory_order_relaxed);
  ct.slot.Renew(RecordPhase::kLive);
}

bool Add(const View& view, CtRecord& ct, uint64_t success, uint64_t failure) {
  if (success != 0) ct.success.fetch_add(success, std::memory_order_seq_cst);
  if (failure != 0) ct.failure.fetch_add(failure, std::memory_order_seq_cst);
  view.header().doorbell.Ring();
  return IsDue(ct);
}

bool Set(const View& view, CtRecord& ct, uint64_t success, uint64_t failure) {
  {
    const Holding holding(ct.lock);
    // `sets` is already odd if a process has died in a Set.
    const uint32_t odd = ct.sets.load(std::memory_order_relaxed) | 1;
    ct.sets.store(odd, std::memory_order_seq_cst);
    ct.success.store(success, std::memory_order_seq_cst);
    ct.failure.store(failure, std::memory_order_seq_cst);
    ct.sets.store(odd + 1, std::memory_order_seq_cst);
  }
  view.header().doorbell.Ring();
  return IsDue(ct);
}

CtValue internal::ValueBetweenSets(CtRecord& ct) {
  const Holding holding(ct.lock);
  EndSet(ct);
  return LoadHalves(ct);
}

}  // namespace gasnet::portals4
