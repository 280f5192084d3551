#include "portals/engine/event_queue.h"

#include <algorithm>
#include <bit>

#include "absl/base/thread_annotations.h"
#include "base/causality.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

// Returns the number of events that the queue may hold under flow control.
uint64_t UsableBy(const EqRecord& eq) ABSL_EXCLUSIVE_LOCKS_REQUIRED(eq.lock) {
  const uint64_t spared = std::min(eq.flow_pts, eq.slots - 1);
  return std::min<uint64_t>(eq.count, eq.slots - spared);
}

// Holds the posters' lock for a scope. If the previous holder died, repairs the
// queue.
class ABSL_SCOPED_LOCKABLE Posting {
 public:
  // No analysis: it does not understand that the member `holding_` acquires the
  // lock.
  Posting(const View& view, EqRecord& eq)
      ABSL_EXCLUSIVE_LOCK_FUNCTION(eq.lock) ABSL_NO_THREAD_SAFETY_ANALYSIS
      : holding_(eq.lock) {
    if (holding_.from_dead()) [[unlikely]]
      Adopt(view, eq);
  }
  ~Posting() ABSL_UNLOCK_FUNCTION() = default;

 private:
  // If a dead poster has published its event, completes the post: advances
  // `tail`.
  static void Adopt(const View& view, EqRecord& eq)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(eq.lock) {
    const uint64_t index = eq.tail.load(std::memory_order_relaxed);
    const EventSlot* const slot = view.Event(eq, index);
    if (slot == nullptr || !IsEvent(*slot, NumberOf(index))) return;
    eq.tail.store(index + 1, std::memory_order_release);
  }

  const Holding holding_;
};

void Write(const View& view, EqRecord& eq, const Event& event)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(eq.lock) {
  Causality::BeforeSending();
  const uint64_t index = eq.tail.load(std::memory_order_relaxed);
  EventSlot* const slot = view.Event(eq, index);
  EventSlot* const rest = view.EventRest(eq, index);
  if (slot == nullptr || rest == nullptr) return;
  StoreEvent(event, NumberOf(index), view.header().uid, *slot, *rest);
  // Release: pairs with the load of `tail` in TakeFrom. TakeFrom loads `tail`
  // after it has found a slot overwritten.
  eq.tail.store(index + 1, std::memory_order_release);
  // Prefetches for reading: the line stays shared, and a reader in another
  // thread need not fetch it back.
  __builtin_prefetch(view.Event(eq, index + kPosterAhead));
}

bool HasRoom(const EqRecord& eq, uint32_t events)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(eq.lock) {
  const uint64_t wanted =
      eq.tail.load(std::memory_order_relaxed) + eq.reserved + events;
  return wanted - eq.head_seen <= UsableBy(eq);
}

// Returns how much of the reserved room may still be used or given back. Room
// that broken portal table entries have reserved does not count.
uint32_t StillReserved(const View& view, Ref eq) {
  uint32_t sum = 0;
  for (uint32_t index = 0; index < view.counts().pts; ++index) {
    const PtRecord& pt = *view.Pt(index);
    if (pt.queue() == eq && !pt.lock.IsBroken()) sum += pt.reserved;
  }
  return sum;
}

void Return(EqRecord& eq, PtRecord& pt, uint32_t events)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(eq.lock) {
  eq.reserved -= std::min(events, eq.reserved);
  pt.reserved -= std::min(events, pt.reserved);
}

}  // namespace

uint32_t QueueSlots(uint32_t count) {
  return std::bit_ceil(count + kSpareSlots);
}

void OpenQueue(const View& view, EqRecord& eq, uint32_t ring, uint32_t count) {
  const Holding posters(eq.lock);
  const Holding takers(eq.taking);
  eq.tail.store(0, std::memory_order_relaxed);
  eq.head.store(0, std::memory_order_relaxed);
  eq.head_seen = 0;
  eq.ring = ring;
  eq.slots = QueueSlots(count);
  eq.count = count;
  eq.reserved = 0;
  eq.flow_pts = 0;
  // The slots are computed from the arguments, not read from the record: other
  // processes may write the record.
  EventSlot* const slots = view.events() + ring;
  for (uint32_t i = 0; i < QueueSlots(count); ++i) {
    slots[i].words[0].store(0, std::memory_order_relaxed);
  }
  eq.slot.Renew(RecordPhase::kLive);
}

void CloseQueue(EqRecord& eq) {
  const Holding posters(eq.lock);
  const Holding takers(eq.taking);
  eq.slot.Become(RecordPhase::kFree);
}

void BeginFlowControl(const View& view, PtRecord& pt) {
  EqRecord* const eq = view.Eq(pt.queue());
  if (eq == nullptr) return;
  const Posting posting(view, *eq);
  pt.reserved = 0;
  ++eq->flow_pts;
}

void EndFlowControl(const View& view, Ref ref) {
  EqRecord* const eq = view.Eq(ref);
  if (eq == nullptr) return;
  const Posting posting(view, *eq);
  if (view.Eq(ref) != nullptr && eq->flow_pts > 0) --eq->flow_pts;
}

bool Reserve(const View& view, PtRecord& pt, uint32_t events) {
  const Ref ref = pt.queue();
  EqRecord* const found = view.Eq(ref);
  if (found == nullptr) return true;
  EqRecord& eq = *found;
  const Posting posting(view, eq);
  if (view.Eq(ref) == nullptr) return true;
  if (!HasRoom(eq, events)) {
    eq.head_seen = eq.head.load(std::memory_order_relaxed);
    if (!HasRoom(eq, events)) eq.reserved = StillReserved(view, ref);
    if (!HasRoom(eq, events)) return false;
  }
  eq.reserved += events;
  pt.reserved += events;
  return true;
}

void GiveBack(const View& view, PtRecord& pt, uint32_t events) {
  const Ref ref = pt.queue();
  EqRecord* const eq = view.Eq(ref);
  if (eq == nullptr) return;
  const Posting posting(view, *eq);
  if (view.Eq(ref) != nullptr) Return(*eq, pt, events);
}

void Post(const View& view, Ref ref, const Event& event) {
  EqRecord* const eq = view.Eq(ref);
  if (eq == nullptr) return;
  {
    const Posting posting(view, *eq);
    if (view.Eq(ref) == nullptr) return;
    Write(view, *eq, event);
  }
  view.header().doorbell.Ring();
}

void PostReserved(const View& view, PtRecord& pt, const Event& event) {
  const Ref ref = pt.queue();
  EqRecord* const eq = view.Eq(ref);
  if (eq == nullptr) return;
  {
    const Posting posting(view, *eq);
    if (view.Eq(ref) == nullptr) return;
    Return(*eq, pt, 1);
    Write(view, *eq, event);
  }
  view.header().doorbell.Ring();
}

Taken TakeFrom(const View& view, Ref ref, EqRecord& eq, ptl_event_t& event) {
  const Holding holding(eq.taking);
  if (view.Eq(ref) == nullptr) return Taken::kNone;
  uint64_t head = eq.head.load(std::memory_order_relaxed);
  bool lost = false;
  // In practice only corrupted memory makes the loop reach this bound. Posters
  // would have to go round the whole ring between any two looks.
  for (uint32_t looks = 0; looks < kEventSlots; ++looks) {
    const EventSlot* const slot = view.Event(eq, head);
    const EventSlot* const rest = view.EventRest(eq, head);
    if (slot == nullptr || rest == nullptr) return Taken::kNone;
    const Loaded loaded =
        LoadEvent(NumberOf(head), view.header().uid, *slot, *rest, event);
    if (loaded == Loaded::kYes) {
      eq.head.store(head + 1, std::memory_order_release);
      __builtin_prefetch(view.Event(eq, head + kTakerAhead));
      Causality::AfterReceiving();
      return lost ? Taken::kAfterLoss : Taken::kEvent;
    }
    if (loaded == Loaded::kEmpty && !lost) return Taken::kNone;
    // Goes on with the oldest event that is still there. If posters are about
    // to overwrite that one, goes on with the next.
    const uint64_t tail = eq.tail.load(std::memory_order_acquire);
    const uint64_t oldest = tail > eq.slots ? tail - eq.slots : 0;
    head = std::max(oldest, head + 1);
    if (head >= tail) return Taken::kNone;
    lost = true;
  }
  return Taken::kNone;
}

}  // namespace gasnet::portals4
