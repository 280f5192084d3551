// The free slots of an array in shared memory. Any process may take and give
// slots, without a lock. Slots are numbered from 1; 0 means no slot. A process
// that dies inside a call loses at most one slot.
//
// Freed slots lie on a stack. A word in each slot links it to the next. The
// head of the stack also counts changes. So a thread notices if other threads
// took the head's slot and put it back in between. The first `fresh` slots have
// been used; the others need no initialisation, and their memory is untouched.
//
// Give synchronises with a later Take of the same slot.
#ifndef PORTALS_ENGINE_POOL_H_
#define PORTALS_ENGINE_POOL_H_

#include <atomic>
#include <cstdint>

#include "portals/tuning.h"

namespace gasnet::portals4 {

struct SlotPool {
  std::atomic<uint64_t> head;   // changes << 32 | slot
  std::atomic<uint32_t> fresh;  // number of slots that were ever used
  std::atomic<uint32_t> used;

  // Takes a slot in [1, limit], or returns 0. `link(slot)` returns the word in
  // the slot that links it to the next. If memory was corrupted, the stack may
  // name slots beyond `limit`; Take does not return those.
  template <class Link>
  uint32_t Take(uint32_t limit, Link link) {
    if (used.fetch_add(1, std::memory_order_relaxed) >= limit) {
      used.fetch_sub(1, std::memory_order_relaxed);
      return 0;
    }
    // `used` now guarantees a slot for this call, on the stack or never used.
    // The loop may still miss it: other threads may take one slot and free
    // another while this thread looks.
    for (int tries = 0; tries < kPoolTries; ++tries) {
      const uint32_t slot = Pop(limit, link);
      if (slot != 0) return slot;
      const uint32_t made = fresh.fetch_add(1, std::memory_order_relaxed) + 1;
      if (made <= limit) return made;
      fresh.fetch_sub(1, std::memory_order_relaxed);
    }
    used.fetch_sub(1, std::memory_order_relaxed);
    return 0;
  }

  template <class Link>
  void Give(uint32_t slot, Link link) {
    uint64_t seen = head.load(std::memory_order_relaxed);
    do {
      link(slot).store(static_cast<uint32_t>(seen), std::memory_order_relaxed);
    } while (!head.compare_exchange_weak(seen, Changed(seen) | slot,
                                         std::memory_order_release,
                                         std::memory_order_relaxed));
    used.fetch_sub(1, std::memory_order_relaxed);
  }

 private:
  static uint64_t Changed(uint64_t head_word) {
    return ((head_word >> 32) + 1) << 32;
  }

  template <class Link>
  uint32_t Pop(uint32_t limit, Link link) {
    uint64_t seen = head.load(std::memory_order_acquire);
    for (;;) {
      const auto slot = static_cast<uint32_t>(seen);
      if (slot == 0 || slot > limit) return 0;
      const uint32_t next = link(slot).load(std::memory_order_relaxed);
      if (head.compare_exchange_weak(seen, Changed(seen) | next,
                                     std::memory_order_acquire,
                                     std::memory_order_acquire)) {
        return slot;
      }
    }
  }
};

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_POOL_H_
