// An event queue in shared memory. Any process posts; the owner takes.
//
// A poster holds the queue's lock, writes a slot with its number last, and
// advances `tail`. If it dies in between, the next poster takes the lock over.
// If the dead poster had not written the number, the next poster overwrites
// everything that it left. If it had, the event is there and may have been
// taken. Then the next poster must not write to this slot, nor use its number
// again: the taker would mistake the new event for the one that it already has.
//
// So a poster that takes the lock over from a dead poster checks if the slot of
// `tail` has the number of `tail`, which no other event in this slot has. If so
// it advances `tail` in place of the dead poster. If it also dies, the next
// poster finds the same state. Other posters need no check: the lock of every
// dead holder is taken over before anything else is posted.
//
// A taker does not need the posters' lock. The number in a slot shows if the
// slot holds the right event. The taker reads the number before and after the
// event, and so notices if a later event was written meanwhile. So a stopped
// taker never blocks posters, and a look at an empty queue is one load.
//
// Numbers and `tail` may be garbage, like everything in shared memory. A taker
// reads at most as many slots as there are, goes no further than `tail`, and
// changes `head` only if it has found an event. So the queue works again once a
// poster has overwritten the garbage.
//
// A slot may be reopened while processes that knew its previous queue hold its
// locks or wait for them. These processes notice that their queue is gone once
// they have the lock. So locks are held while a queue is opened, and never
// reset to free.
//
// A full queue loses its oldest events, which the taker notices. With flow
// control, a poster reserves room before a message changes anything (Reserve).
// PT_DISABLED has room beyond `count`, some for each portal table entry.
//
// Room is reserved for operations on a portal table entry, under the entry's
// lock. Each entry knows its part. If a process dies while it holds this lock,
// the entry is broken, and no process will post or give back the entry's part.
// So if a queue seems full, its reservations are summed up anew, without those
// of broken entries. The record of a flight holds the reservations of its
// process, in case the process dies (flight.h).
#ifndef PORTALS_ENGINE_EVENT_QUEUE_H_
#define PORTALS_ENGINE_EVENT_QUEUE_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/event.h"
#include "portals/engine/view.h"

namespace gasnet::portals4 {

// QueueSlots returns the number of slots of a queue for `count` events,
// including some slots for PT_DISABLED. QueueLines returns the number of lines
// of a queue with `slots` slots.
uint32_t QueueSlots(uint32_t count);
inline uint32_t QueueLines(uint32_t slots) { return 2 * slots; }

// Initialises the queue of a slot just taken. Its lines begin at `ring`. Owner
// only.
void OpenQueue(const View& view, EqRecord& eq, uint32_t ring, uint32_t count);
// Closes a queue. Afterwards nobody reads or writes its lines any more.
void CloseQueue(EqRecord& eq);

// Note that a portal table entry with flow control begins to post to its queue,
// or that such an entry no longer posts to the queue `eq`.
void BeginFlowControl(const View& view, PtRecord& pt);
void EndFlowControl(const View& view, Ref eq);

// Reserves room for `events` more events in the queue of a portal table entry.
// The caller later posts each of them with PostReserved, or gives it back with
// GiveBack. Returns false if there is no room. A queue that is gone always has
// room.
bool Reserve(const View& view, PtRecord& pt, uint32_t events)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
void GiveBack(const View& view, PtRecord& pt, uint32_t events)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Posts to a queue of the view, if it still exists, and wakes its owner.
void Post(const View& view, Ref eq, const Event& event);
void PostReserved(const View& view, PtRecord& pt, const Event& event)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

enum class Taken { kEvent, kAfterLoss, kNone };

// Returns the number that marks the slot of event `index`. The number is odd,
// since 0 means that the slot has no event.
constexpr uint32_t NumberOf(uint64_t index) {
  return static_cast<uint32_t>(index << 1) | 1;
}

// Returns true if there is an event that Take would take.
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
