// An event queue in shared memory. Any process posts; the owner takes.
//
// A poster holds the queue's lock, writes a slot with its number last, and
// advances `tail`. If the poster dies in between, the next poster takes the
// lock over. If the slot does not have the number yet, the next poster
// overwrites the slot. If the slot has the number, the event may already have
// been taken. The next poster must not use this slot and number again: the
// taker could not tell the new event from the old one.
//
// So a poster that takes the lock over checks if the slot of `tail` has the
// number of `tail`. No other event in this slot has this number. If the number
// is there, the poster advances `tail` in place of the dead one. If this poster
// also dies, the next one finds the same state. Other posters need no check:
// the lock of every dead holder is taken over before anything else is posted.
//
// A taker does not need the posters' lock. It reads the number in the slot
// before and after the event, and so notices if a later event was written in
// between. So a stopped taker never blocks posters, and a look at an empty
// queue is one load.
//
// Numbers and `tail` may be garbage, like everything in shared memory. A taker
// reads at most as many slots as there are, goes no further than `tail`, and
// changes `head` only if it has found an event. So the queue works again once a
// poster has overwritten the garbage.
//
// A slot may be reopened while processes hold the locks of its previous queue,
// or wait for them. These processes notice that their queue is gone once they
// have the lock. So OpenQueue takes the locks, and never resets them to free.
//
// A full queue loses its oldest events, and the taker notices the loss. With
// flow control, a poster reserves room before a message changes anything
// (Reserve). PT_DISABLED has room beyond `count`, some for each portal table
// entry.
//
// Room is reserved for operations on a portal table entry, under the entry's
// lock. Each entry knows its part of the room. If a process dies while it holds
// this lock, the entry is broken, and nobody will use or give back its part. So
// if a queue seems full, its reservations are summed up anew, without those of
// broken entries. The record of a flight also holds its reservations, in case
// its process dies (flight.h).
#ifndef PORTALS_ENGINE_EVENT_QUEUE_H_
#define PORTALS_ENGINE_EVENT_QUEUE_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/event.h"
#include "portals/engine/view.h"

namespace gasnet::portals4 {

// QueueSlots returns the number of slots of a queue for `count` events,
// including slots for PT_DISABLED. QueueLines returns the number of cache lines
// of a queue with `slots` slots.
uint32_t QueueSlots(uint32_t count);
inline uint32_t QueueLines(uint32_t slots) { return 2 * slots; }

// Initialises the queue of a slot just taken. `ring` is the index of its first
// line. Only the owner may call it.
void OpenQueue(const View& view, EqRecord& eq, uint32_t ring, uint32_t count);
// Closes a queue. After that, no process reads or writes its lines any more.
void CloseQueue(EqRecord& eq);

// BeginFlowControl notes that a portal table entry with flow control uses its
// queue. EndFlowControl notes that one such entry no longer uses the queue
// `eq`.
void BeginFlowControl(const View& view, PtRecord& pt);
void EndFlowControl(const View& view, Ref eq);

// Reserve reserves room for `events` more events in the queue of a portal table
// entry. It returns false if there is no room. A queue that is gone always has
// room. The caller later posts each event with PostReserved, or gives its room
// back with GiveBack.
bool Reserve(const View& view, PtRecord& pt, uint32_t events)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
void GiveBack(const View& view, PtRecord& pt, uint32_t events)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Posts to a queue of the view, if the queue still exists, and wakes the owner
// of the view.
void Post(const View& view, Ref eq, const Event& event);
void PostReserved(const View& view, PtRecord& pt, const Event& event)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

enum class Taken { kEvent, kAfterLoss, kNone };

// Returns the number that marks the slot of event `index`. The number is odd,
// since 0 means that the slot has no event.
constexpr uint32_t NumberOf(uint64_t index) {
  return static_cast<uint32_t>(index << 1) | 1;
}

// Returns true if Take would take an event.
inline bool HasEvent(const View& view, const EqRecord& eq) {
  const uint64_t head = eq.head.load(std::memory_order_relaxed);
  const EventSlot* const slot = view.Event(eq, head);
  return slot != nullptr && HoldsEvent(*slot, NumberOf(head));
}

// Take an event. Only the owner's threads may call these. A queue that is gone
// has no events. TakeFrom requires that `eq` is the queue of `ref`, and that
// the caller has seen an event in it.
Taken TakeFrom(const View& view, Ref ref, EqRecord& eq, ptl_event_t& event);
inline Taken Take(const View& view, Ref ref, ptl_event_t& event) {
  EqRecord* const eq = view.Eq(ref);
  return eq != nullptr && HasEvent(view, *eq) ? TakeFrom(view, ref, *eq, event)
                                              : Taken::kNone;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_EVENT_QUEUE_H_
