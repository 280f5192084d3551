// An event on its way through a queue.
//
// A queue slot is one line of eight words; the first has the number of the
// event and what is small, so that storing it last publishes the rest. Most
// events say no more: the message had room for all its bytes, and its user is
// the owner's. Others use a second line.
#ifndef PORTALS_ENGINE_EVENT_H_
#define PORTALS_ENGINE_EVENT_H_

#include <cstdint>

#include "portals/engine/records.h"
#include "portals4.h"

namespace gasnet::portals4 {

struct Event {
  uint32_t type = 0;  // ptl_event_kind_t
  uint32_t list = 0;
  uint32_t fail = PTL_NI_OK;
  uint32_t pt = 0;
  uint32_t operation = 0;
  uint32_t datatype = 0;
  uint32_t uid = 0;
  uint64_t start = 0;
  uint64_t user_ptr = 0;
  uint64_t hdr_data = 0;
  uint64_t match_bits = 0;
  uint64_t rlength = 0;
  uint64_t mlength = 0;
  uint64_t remote_offset = 0;
  uint64_t initiator = 0;
};

// Writes event number `number` (not 0) into its slot; `rest` is the second
// line. `uid` is the user of the queue's owner. Under the queue's lock.
void StoreEvent(const Event& event, uint32_t number, uint32_t uid,
                EventSlot& slot, EventSlot& rest);

enum class Loaded { kYes, kEmpty, kOverwritten };

// Reads event `number`. Overwritten: a later one has taken its slot.
Loaded LoadEvent(uint32_t number, uint32_t uid, EventSlot& slot,
                 EventSlot& rest, Event& event);

// Whether event `number` is there.
inline bool IsEvent(const EventSlot& slot, uint32_t number) {
  return static_cast<uint32_t>(slot.words[0].load(std::memory_order_acquire)) ==
         number;
}

// Whether event `number` or a later one is there.
inline bool HoldsEvent(const EventSlot& slot, uint32_t number) {
  const auto held =
      static_cast<uint32_t>(slot.words[0].load(std::memory_order_acquire));
  // 0: never used, or being written.
  return held != 0 && static_cast<int32_t>(held - number) >= 0;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_EVENT_H_
