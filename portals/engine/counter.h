// Counting events: any process adds, the owner reads and waits; operations that
// wait for a value run in whichever process makes it so (engine/trigger.h).
//
// Add changes the value and then looks at `due_at`; who makes something wait
// stores `due_at` and then looks at the value. All four are sequentially
// consistent, so that one of the two sees the other. Of two processes that add
// at the same time the later one sees the sum.
//
// Set changes two words, under the counter's lock, and says in `sets` that it
// is at it. A reader that finds `sets` odd or changed waits for that lock; so
// nobody takes halves of two values for one. Add looks at the value only if
// something waits, and takes no lock unless a Set is under way then.
#ifndef PORTALS_ENGINE_COUNTER_H_
#define PORTALS_ENGINE_COUNTER_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/view.h"

namespace gasnet::portals4 {

inline constexpr uint64_t kNothingDue = ~uint64_t{0};

// Of a slot just taken. A process that knew the counter that had the slot
// before may still hold or wait for a lock of it, and find this one: so locks
// are not touched, nor what belongs to their holders. They were free when the
// slot was new.
void OpenCounter(CtRecord& ct);

struct CtValue {
  uint64_t success;
  uint64_t failure;

  uint64_t total() const { return success + failure; }
};

namespace internal {
inline CtValue LoadHalves(const CtRecord& ct) {
  return {ct.success.load(std::memory_order_seq_cst),
          ct.failure.load(std::memory_order_seq_cst)};
}
// Waits for the lock.
CtValue ValueBetweenSets(CtRecord& ct);
}  // namespace internal

// The halves may be of two moments between which others have added.
inline CtValue ValueOf(CtRecord& ct) {
  const uint32_t sets = ct.sets.load(std::memory_order_seq_cst);
  const CtValue value = internal::LoadHalves(ct);
  if (sets % 2 == 0 && ct.sets.load(std::memory_order_seq_cst) == sets)
      [[likely]] {
    return value;
  }
  return internal::ValueBetweenSets(ct);
}

// Whether something that waits for the counter is to run. Values have no sign,
// as ptl_size_t has none: a sum that went round below 0 is above every
// threshold.
inline bool IsDue(CtRecord& ct) {
  const uint64_t due_at = ct.due_at.load(std::memory_order_seq_cst);
  return due_at != kNothingDue && ValueOf(ct).total() >= due_at;
}
// The same by the holder of the lock, whom no Set disturbs.
inline bool IsDueUnderLock(const CtRecord& ct)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.lock) {
  const uint64_t due_at = ct.due_at.load(std::memory_order_seq_cst);
  return due_at != kNothingDue && internal::LoadHalves(ct).total() >= due_at;
}

// These wake the owner, and answer IsDue.
bool Add(const View& view, CtRecord& ct, uint64_t success, uint64_t failure);
bool Set(const View& view, CtRecord& ct, uint64_t success, uint64_t failure);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_COUNTER_H_
