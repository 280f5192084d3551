#include "portals/engine/deliver.h"

#include "absl/base/thread_annotations.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "portals/engine/claim.h"
#include "portals/engine/entries.h"
#include "portals/engine/flight.h"
#include "portals/engine/move.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

Outcome Failed(uint32_t fail) {
  Outcome outcome;
  outcome.fail = fail;
  return outcome;
}

Outcome Dropped(PeerInterface& target) {
  target.view.Register(PTL_SR_DROP_COUNT)
      .fetch_add(1, std::memory_order_relaxed);
  return Failed(PTL_NI_DROPPED);
}

Outcome Done(const ClaimedEntry& claim, bool moved) {
  Outcome outcome;
  outcome.fail = moved ? PTL_NI_OK : PTL_NI_SEGV;
  outcome.list = claim.list;
  outcome.mlength = claim.mlength;
  outcome.remote_offset = claim.offset;
  return outcome;
}

// Prefetches the cache line of the entry's counter while the data is moved. The
// line is usually in another cache, because the owner polls it.
void FetchCounter(const View& view, const EntryRecord& entry) {
  if ((entry.options & PTL_ME_EVENT_CT_COMM) == 0) return;
  if (const CtRecord* const ct = view.CtAt(ObjectRef::Slot(entry.ct))) {
    PrefetchForWrite(ct);
  }
}

Outcome Fly(PeerInterface& target, const PortalsOperation& operation,
            const ClaimedEntry& claim, const Extent& memory)
    ABSL_UNLOCK_FUNCTION(claim.pt->lock) {
  const auto move = [&] {
    return Move(target, operation, memory, claim.offset, claim.mlength);
  };
  bool moved = false;
  if (FlightRecord* const flight = TakeOff(target, claim)) {
    claim.pt->lock.Release();
    moved = move();
    if (!claim.pt->lock.Acquire(DeadHolder::kBreak)) {
      FreeFlight(*flight);
      return Failed(PTL_NI_UNDELIVERABLE);
    }
    LandFlight(*claim.pt, *claim.entry, *flight);
  } else {
    moved = move();
  }
  const Outcome outcome = Done(claim, moved);
  Finish(target, operation, claim, outcome.fail);
  claim.pt->lock.Release();
  return outcome;
}

// Matches the operation. Returns true, with the lock of the portal table entry
// held, if it has matched. Otherwise the operation is over: sets `outcome` and
// returns false without the lock.
bool Match(PeerInterface& target, const PortalsOperation& operation,
           ClaimedEntry& claim, Outcome& outcome)
    ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, claim.pt->lock) {
  outcome = Failed(PTL_NI_UNDELIVERABLE);
  if (!IsThere(target.view)) return false;
  PtRecord* const pt = target.view.Pt(operation.pt);
  if (pt == nullptr) {
    outcome = Dropped(target);
    return false;
  }
  if (!pt->lock.Acquire(DeadHolder::kBreak)) return false;
  const bool allocated =
      pt->state.load(std::memory_order_relaxed) != PtRecord::kFree;
  const uint32_t fail =
      allocated ? Claim(target, *pt, operation, claim) : uint32_t{PTL_NI_OK};
  if (allocated && fail == PTL_NI_OK) return true;
  pt->lock.Release();
  outcome = allocated ? Failed(fail) : Dropped(target);
  return false;
}

}  // namespace

namespace internal {

bool IsThereYet(const View& view) {
  std::atomic<int64_t>& seen = view.header().seen_alive;
  const int64_t now = NowNanos();
  // Any process may have written `seen`. Unsigned arithmetic cannot overflow,
  // and makes a time in the future appear long past.
  const uint64_t age =
      static_cast<uint64_t>(now) -
      static_cast<uint64_t>(seen.load(std::memory_order_relaxed));
  if (age < uint64_t{kAliveFor}) return true;
  // Asks the kernel: perhaps only a thread has ended. A process that may be
  // ending counts as alive, but only for this call. If that were stored in
  // `seen`, a peer could take the process for alive after its end.
  const Life life = LifeOf(view.header().owner);
  if (life == Life::kGoesOn) seen.store(now, std::memory_order_relaxed);
  return life != Life::kOver;
}

}  // namespace internal

Outcome Deliver(PeerInterface& target, const PortalsOperation& operation) {
  ClaimedEntry claim;
  Outcome outcome;
  if (!Match(target, operation, claim, outcome)) return outcome;
  const Extent memory = MemoryOf(target, *claim.entry);
  FetchCounter(target.view, *claim.entry);
  if (!MoveAtOnce(target, operation, memory, claim.offset, claim.mlength)) {
    return Fly(target, operation, claim, memory);
  }
  Finish(target, operation, claim, PTL_NI_OK);
  claim.pt->lock.Release();
  return Done(claim, true);
}

bool BeginDelivery(PeerInterface& target, const PortalsOperation& operation,
                   OpenDelivery& open, Outcome& outcome) {
  if (!Match(target, operation, open.claim, outcome)) return false;
  open.memory = MemoryOf(target, *open.claim.entry);
  ++open.claim.pt->flights;
  ++open.claim.entry->flights;
  open.claim.pt->lock.Release();
  return true;
}

Outcome EndDelivery(PeerInterface& target, const PortalsOperation& operation,
                    const OpenDelivery& open, uint32_t fail) {
  if (!open.claim.pt->lock.Acquire(DeadHolder::kBreak)) {
    return Failed(PTL_NI_UNDELIVERABLE);
  }
  Land(*open.claim.pt, *open.claim.entry);
  Finish(target, operation, open.claim, fail);
  open.claim.pt->lock.Release();
  Outcome outcome = Done(open.claim, true);
  outcome.fail = fail;
  return outcome;
}

}  // namespace gasnet::portals4
