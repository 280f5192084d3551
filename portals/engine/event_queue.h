// An event queue in shared memory: any process posts, its owner takes.
//
// A poster holds the queue's lock, writes a slot, and advances `tail`. One that
// dies in between leaves nothing that the next one would not write anew, so the
// lock is taken over from the dead. A taker needs no lock of the posters: the
// number in a slot says whether it holds the event looked for, and a look at it
// before and after whether a later one was written meanwhile. So a taker that
// is stopped keeps nobody from posting, and looking at an empty queue is one
// load.
//
// A full queue loses its oldest events, which the taker finds out. With flow
// control, a poster asks for room before a message changes anything (Reserve).
// PT_DISABLED has room beyond `count`, some for each portal table entry.
#ifndef PORTALS_ENGINE_EVENT_QUEUE_H_
#define PORTALS_ENGINE_EVENT_QUEUE_H_

#include <cstdint>

#include "portals/engine/event.h"
#include "portals/engine/view.h"

namespace gasnet::portals4 {

// Slots of a queue for `count` events, some of them for PT_DISABLED; and how
// many lines it takes.
uint32_t QueueSlots(uint32_t count);
inline uint32_t QueueLines(uint32_t slots) { return 2 * slots; }

// Of a slot just taken, whose lines are from `ring` on. The owner's.
void OpenQueue(const View& view, EqRecord& eq, uint32_t ring, uint32_t count);
// Afterwards nobody writes to its lines any more.
void CloseQueue(EqRecord& eq);

// Room for `events` events more; they are posted with Reserved::kYes, or given
// back. False where there is none.
bool Reserve(EqRecord& eq, uint32_t events);
void GiveBack(EqRecord& eq, uint32_t events);

enum class Reserved { kNo, kYes };

// Posts to a queue of the view, if it is still there, and wakes its owner.
void Post(const View& view, Ref eq, const Event& event,
          Reserved reserved = Reserved::kNo);

enum class Taken { kEvent, kAfterLoss, kNone };

// By the owner alone, from any of its threads.
Taken Take(const View& view, EqRecord& eq, Event& event);

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

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_EVENT_QUEUE_H_
