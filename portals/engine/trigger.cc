#include "portals/engine/trigger.h"

#include "absl/base/thread_annotations.h"
#include "portals/engine/counter.h"
#include "portals/engine/due.h"

namespace gasnet::portals4 {
namespace {

void Release(const View& view, Ref ref) {
  MdRecord* const md = view.Md(ref);
  if (md != nullptr && md->pending.load(std::memory_order_relaxed) > 0) {
    md->pending.fetch_sub(1, std::memory_order_release);
  }
}

uint32_t NextOf(const TriggerRecord& record) {
  return record.next.load(std::memory_order_relaxed);
}

// Updates `due_at` after a change of the list.
void UpdateDue(const View& view, CtRecord& ct)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.lock) {
  const TriggerRecord* const first =
      view.TriggerAt(ct.head.load(std::memory_order_relaxed));
  ct.due_at.store(first != nullptr ? first->threshold : kNothingDue,
                  std::memory_order_seq_cst);
}

uint32_t TakeFirst(const View& view, CtRecord& ct)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.lock) {
  const uint32_t slot = ct.head.load(std::memory_order_relaxed);
  const TriggerRecord* const record = view.TriggerAt(slot);
  if (record == nullptr) return 0;
  ct.head.store(NextOf(*record), std::memory_order_relaxed);
  UpdateDue(view, ct);
  return slot;
}

// Takes the first due operation out of the list. Returns its slot, or 0 if no
// operation is due.
uint32_t TakeDueTrigger(const View& view, CtRecord& ct)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.runner) {
  const Holding holding(ct.lock);
  if (!IsDueUnderLock(ct)) return 0;
  // `running` names the operation before the operation leaves the list. If this
  // process dies in between, Abandon finds the operation.
  ct.running.store(ct.head.load(std::memory_order_relaxed),
                   std::memory_order_relaxed);
  return TakeFirst(view, ct);
}

bool IsInList(const View& view, const CtRecord& ct, uint32_t slot)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.lock) {
  uint32_t at = ct.head.load(std::memory_order_relaxed);
  for (uint32_t steps = view.counts().triggers; steps > 0; --steps) {
    const TriggerRecord* const record = view.TriggerAt(at);
    if (record == nullptr) return false;
    if (at == slot) return true;
    at = NextOf(*record);
  }
  return false;
}

// Frees the record of an operation that was taken from the list and is over.
void Dispose(const View& view, CtRecord& ct, uint32_t slot)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.runner) {
  ReleaseMds(view, *view.TriggerAt(slot));
  ct.running.store(0, std::memory_order_relaxed);
  view.GiveTrigger(slot);
}

// Runs the operations that are due, and subtracts their number from `most`. If
// other processes make more operations due, they set `again`.
void RunAll(PeerInterface& owner, CtRecord& ct, Execute execute, uint32_t& most)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.runner) {
  for (uint32_t left = owner.view.counts().triggers; left > 0 && most > 0;
       --left, --most) {
    const uint32_t slot = TakeDueTrigger(owner.view, ct);
    if (slot == 0) return;
    execute(owner, *owner.view.TriggerAt(slot));
    Dispose(owner.view, ct, slot);
  }
}

// Ends the operation that a dead runner had named in `running`. The dead runner
// may or may not have run it. If the operation is still in the list, leaves it
// there to run later.
void Abandon(const View& view, CtRecord& ct)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.runner) {
  const Holding holding(ct.lock);
  // The dead runner may have taken the operation without updating `due_at`.
  UpdateDue(view, ct);
  const uint32_t slot = ct.running.load(std::memory_order_relaxed);
  if (view.TriggerAt(slot) == nullptr) return;
  if (!IsInList(view, ct, slot)) Dispose(view, ct, slot);
}

void RunCounter(PeerInterface& owner, CtRecord& ct, Execute execute,
                uint32_t& most) {
  do {
    ct.again.store(1, std::memory_order_seq_cst);
    // If TryAcquire fails, another process holds `runner`. That process sees
    // `again`, or it has already released `runner`.
    if (!ct.runner.TryAcquire()) {
      if (!ct.runner.TakeOverFromDead()) return;
      Abandon(owner.view, ct);
    }
    ct.again.store(0, std::memory_order_seq_cst);
    RunAll(owner, ct, execute, most);
    ct.runner.Release();
    std::atomic_thread_fence(std::memory_order_seq_cst);
  } while (most > 0 && ct.again.load(std::memory_order_seq_cst) != 0 &&
           IsDue(ct));
}

}  // namespace

void ReleaseMds(const View& view, const TriggerRecord& record) {
  if (record.action >= static_cast<uint32_t>(Action::kCtInc)) return;
  Release(view, record.md);
  Release(view, record.get_md);
}

bool AddTrigger(const View& view, CtRecord& ct, uint32_t slot) {
  TriggerRecord& record = *view.TriggerAt(slot);
  const Holding holding(ct.lock);
  std::atomic<uint32_t>* link = &ct.head;
  for (uint32_t steps = view.counts().triggers; steps > 0; --steps) {
    TriggerRecord* const at =
        view.TriggerAt(link->load(std::memory_order_relaxed));
    if (at == nullptr || at->threshold > record.threshold) break;
    link = &at->next;
  }
  record.next.store(link->load(std::memory_order_relaxed),
                    std::memory_order_relaxed);
  link->store(slot, std::memory_order_release);
  UpdateDue(view, ct);
  return IsDueUnderLock(ct);
}

uint32_t TakeAnyTrigger(const View& view, CtRecord& ct) {
  const Holding holding(ct.lock);
  const uint32_t slot = TakeFirst(view, ct);
  // A runner may have died before it took this operation. `running` then still
  // names the operation. Clears `running`, so that Abandon does not end it.
  if (slot != 0 && slot == ct.running.load(std::memory_order_relaxed)) {
    ct.running.store(0, std::memory_order_relaxed);
  }
  return slot;
}

void RunDue(Execute execute) {
  // If a triggered operation makes another one due, the second one runs after
  // the first, not within it.
  thread_local bool running = false;
  if (running || !AnythingDue()) return;
  running = true;
  // An interface has at most this many operations. The bound ends the loop even
  // if operations in corrupted memory make each other due.
  uint32_t most = kMaxCounts.triggers;
  Due due;
  while (most > 0 && TakeDue(due)) {
    if (CtRecord* const ct = due.owner->view.CtAt(due.ct)) {
      RunCounter(*due.owner, *ct, execute, most);
    }
  }
  ForgetDue();
  running = false;
}

}  // namespace gasnet::portals4
