// Counting events: any process adds, the owner reads and waits; operations that
// wait for a value run in whichever process makes it so (engine/trigger.h).
//
// Add changes the value and then looks at `due_at`; who makes something wait
// stores `due_at` and then looks at the value. All four are sequentially
// consistent, so that one of the two sees the other. Of two processes that add
// at the same time the later one sees the sum.
#ifndef PORTALS_ENGINE_COUNTER_H_
#define PORTALS_ENGINE_COUNTER_H_

#include <cstdint>

#include "portals/engine/view.h"

namespace gasnet::portals4 {

inline constexpr uint64_t kNothingDue = ~uint64_t{0};

// Of a slot just taken. A process that knew the counter that had the slot
// before may still hold or wait for a lock of it, and find this one: so locks
// are not touched, nor what belongs to their holders. They were free when the
// slot was new.
void OpenCounter(CtRecord& ct);

inline uint64_t Total(const CtRecord& ct) {
  return ct.success.load(std::memory_order_seq_cst) +
         ct.failure.load(std::memory_order_seq_cst);
}

// Whether something that waits for the counter is to run. Sums that went round
// below 0 are below every threshold.
inline bool IsDue(const CtRecord& ct) {
  const uint64_t due_at = ct.due_at.load(std::memory_order_seq_cst);
  return due_at != kNothingDue && Total(ct) >= due_at;
}

// These wake the owner, and answer IsDue.
bool Add(const View& view, CtRecord& ct, uint64_t success, uint64_t failure);
bool Set(const View& view, CtRecord& ct, uint64_t success, uint64_t failure);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_COUNTER_H_
