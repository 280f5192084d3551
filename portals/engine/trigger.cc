#include "portals/engine/trigger.h"

#include "portals/engine/counter.h"
#include "portals/engine/due.h"

namespace gasnet::portals4 {
namespace {

uint32_t NextOf(const TriggerRecord& record) {
  return record.next.load(std::memory_order_relaxed);
}

// After a change of the list, under its lock.
void UpdateDue(const View& view, CtRecord& ct) {
  const TriggerRecord* const first =
      view.TriggerAt(ct.head.load(std::memory_order_relaxed));
  ct.due_at.store(first != nullptr ? first->threshold : kNothingDue,
                  std::memory_order_seq_cst);
}

uint32_t TakeFirst(const View& view, CtRecord& ct) {
  const uint32_t slot = ct.head.load(std::memory_order_relaxed);
  const TriggerRecord* const record = view.TriggerAt(slot);
  if (record == nullptr) return 0;
  ct.head.store(NextOf(*record), std::memory_order_relaxed);
  UpdateDue(view, ct);
  return slot;
}

void RunAll(Peer& owner, CtRecord& ct, Execute execute) {
  while (const uint32_t slot = TakeDueTrigger(owner.view, ct)) {
    TriggerRecord& record = *owner.view.TriggerAt(slot);
    execute(owner, record);
    owner.view.GiveTrigger(slot);
  }
}

void RunCounter(Peer& owner, CtRecord& ct, Execute execute) {
  do {
    ct.again.store(1, std::memory_order_seq_cst);
    // Whoever holds it sees that, or has released it already.
    if (!ct.runner.TryAcquire() && !ct.runner.TakeOverFromDead()) return;
    ct.again.store(0, std::memory_order_seq_cst);
    RunAll(owner, ct, execute);
    ct.runner.Release();
    std::atomic_thread_fence(std::memory_order_seq_cst);
  } while (ct.again.load(std::memory_order_seq_cst) != 0 && IsDue(ct));
}

}  // namespace

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
  return IsDue(ct);
}

uint32_t TakeDueTrigger(const View& view, CtRecord& ct) {
  const Holding holding(ct.lock);
  return IsDue(ct) ? TakeFirst(view, ct) : 0;
}

uint32_t TakeAnyTrigger(const View& view, CtRecord& ct) {
  const Holding holding(ct.lock);
  return TakeFirst(view, ct);
}

void RunDue(Execute execute) {
  // What a triggered operation makes due runs after it, not within.
  thread_local bool running = false;
  if (running || !AnythingDue()) return;
  running = true;
  Due due;
  while (TakeDue(due)) {
    if (CtRecord* const ct = due.owner->view.CtAt(due.ct)) {
      RunCounter(*due.owner, *ct, execute);
    }
  }
  running = false;
}

}  // namespace gasnet::portals4
