// An event queue in shared memory: any process posts, its owner takes.
//
// A poster holds the queue's lock, writes a slot with its number last, and
// advances `tail`. The lock is taken over from one that dies in between. Before
// the number, it leaves nothing that the next one would not write anew. After
// it, the event is there, and may have been taken: the next one must not write
// to that slot, nor use its number again, which the taker would take for the
// event that it has had. So who takes the lock over from the dead looks whether
// the slot of `tail` has the number of `tail`, which no other event in that
// slot has, and advances `tail` in its stead; one that dies at that leaves the
// same to the next. Others need no look: the dead one had the lock, and it is
// taken over before anything else is posted.
//
// A taker needs no lock of the posters: the number in a slot says whether it
// holds the event looked for, and a look at it before and after whether a later
// one was written meanwhile. So a taker that is stopped keeps nobody from
// posting, and looking at an empty queue is one load.
//
// Numbers and `tail` may be nonsense, as everything in shared memory. A taker
// looks at no more slots than there can be, goes no further than `tail`, and
// leaves `head` where it was unless it has found an event: so a poster that
// writes over the nonsense mends it.
//
// A slot is opened again while processes that knew the queue before may hold or
// wait for its locks. They find out that theirs is gone once they have them; so
// the locks are held while a queue is opened, never set to free.
//
// A full queue loses its oldest events, which the taker finds out. With flow
// control, a poster asks for room before a message changes anything (Reserve).
// PT_DISABLED has room beyond `count`, some for each portal table entry.
//
// Room is reserved for operations on a portal table entry, under its lock, and
// each entry knows its part. A process that dies with that lock breaks the
// entry, whose part nobody will post or give back: when a queue seems full, its
// reservations are summed up anew, without those of broken entries. Those of a
// process that dies in flight are in the record of the flight (flight.h).
#ifndef PORTALS_ENGINE_EVENT_QUEUE_H_
#define PORTALS_ENGINE_EVENT_QUEUE_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/event.h"
#include "portals/engine/view.h"

namespace gasnet::portals4 {

// Slots of a queue for `count` events, some of them for PT_DISABLED; and how
// many lines it takes.
uint32_t QueueSlots(uint32_t count);
inline uint32_t QueueLines(uint32_t slots) { return 2 * slots; }

// Of a slot just taken, whose lines are from `ring` on. The owner's.
void OpenQueue(const View& view, EqRecord& eq, uint32_t ring, uint32_t count);
// Afterwards nobody reads or writes its lines any more.
void CloseQueue(EqRecord& eq);

// A portal table entry with flow control begins to post to its queue, or no
// longer posts to that one.
void BeginFlowControl(const View& view, PtRecord& pt);
void EndFlowControl(const View& view, Ref eq);

// Room in the queue of a portal table entry for `events` events more; they are
// posted by PostReserved, or given back. False where there is none. A queue
// that is gone has room for all.
bool Reserve(const View& view, PtRecord& pt, uint32_t events)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
void GiveBack(const View& view, PtRecord& pt, uint32_t events)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Posts to a queue of the view, if it is still there, and wakes its owner.
void Post(const View& view, Ref eq, const Event& event);
void PostReserved(const View& view, PtRecord& pt, const Event& event)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

enum class Taken { kEvent, kAfterLoss, kNone };

// The mark of a slot that holds the event of an index: odd, as 0 is none.
constexpr uint32_t NumberOf(uint64_t index) {
  return static_cast<uint32_t>(index << 1) | 1;
}

// Whether Take would find something.
inline bool HasEvent(const View& view, const EqRecord& eq) {
  const uint64_t head = eq.head.load(std::memory_order_relaxed);
  const EventSlot* const slot = view.Event(eq, head);
  return slot != nullptr && HoldsEvent(*slot, NumberOf(head));
}

// By the owner alone, from any of its threads. A queue that is gone has none.
// `eq` is what `ref` means, and has an event, as far as the caller has seen.
Taken TakeFrom(const View& view, Ref ref, EqRecord& eq, ptl_event_t& event);
inline Taken Take(const View& view, Ref ref, ptl_event_t& event) {
  EqRecord* const eq = view.Eq(ref);
  return eq != nullptr && HasEvent(view, *eq) ? TakeFrom(view, ref, *eq, event)
                                              : Taken::kNone;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_EVENT_QUEUE_H_
