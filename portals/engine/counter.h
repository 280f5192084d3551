// Counting events. Any process adds to a counter; its owner reads it and waits.
// Triggered operations wait for a counter to reach a value. They run in the
// process that brings the counter to this value (engine/trigger.h).
//
// Add changes the value and then reads `due_at`. AddTrigger stores `due_at` and
// then reads the value. All four accesses are sequentially consistent, so at
// least one of the two functions sees the other's store. If two processes add
// at the same time, the later one sees the sum.
//
// Set changes two words, under the counter's lock. While a Set is under way,
// `sets` is odd. A reader that finds `sets` odd or changed waits for the lock,
// so it never combines halves of two values. Add reads the value only if an
// operation waits. Even then Add takes no lock unless a Set is under way.
#ifndef PORTALS_ENGINE_COUNTER_H_
#define PORTALS_ENGINE_COUNTER_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/view.h"

namespace gasnet::portals4 {

inline constexpr uint64_t kNothingDue = ~uint64_t{0};

// Initialises the counter of a slot that was just taken. Takes the counter's
// lock: a process that knew the slot's previous counter may still hold or wait
// for the lock. Leaves `runner` and the fields of the runner as they are. In a
// slot that was never used, they are free.
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
// Returns the value. Waits for the lock, so that no Set is under way.
CtValue ValueBetweenSets(CtRecord& ct);
}  // namespace internal

// Returns the value. If other processes add at the same time, the two halves
// may be from different moments.
inline CtValue ValueOf(CtRecord& ct) {
  const uint32_t sets = ct.sets.load(std::memory_order_seq_cst);
  const CtValue value = internal::LoadHalves(ct);
  if (sets % 2 == 0 && ct.sets.load(std::memory_order_seq_cst) == sets)
      [[likely]] {
    return value;
  }
  return internal::ValueBetweenSets(ct);
}

// Returns true if an operation that waits for the counter should run now.
// Values are unsigned, like ptl_size_t: a sum that went below 0 is above every
// threshold.
inline bool IsDue(CtRecord& ct) {
  const uint64_t due_at = ct.due_at.load(std::memory_order_seq_cst);
  return due_at != kNothingDue && ValueOf(ct).total() >= due_at;
}
// Like IsDue(), but for a caller that holds the lock. So no Set is under way.
inline bool IsDueUnderLock(const CtRecord& ct)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(ct.lock) {
  const uint64_t due_at = ct.due_at.load(std::memory_order_seq_cst);
  return due_at != kNothingDue && internal::LoadHalves(ct).total() >= due_at;
}

// Add adds to the value, and Set replaces it. Both wake the owner and return
// IsDue().
bool Add(const View& view, CtRecord& ct, uint64_t success, uint64_t failure);
bool Set(const View& view, CtRecord& ct, uint64_t success, uint64_t failure);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_COUNTER_H_
