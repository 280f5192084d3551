// A lock in shared memory that survives the death of its holders.
//
// The lock's word is 0, the ProcessWord of the holder, or kBroken. A lock is
// held for some hundred instructions. A process that finds the lock held spins,
// then yields, then naps. Between naps it checks now and again if the holder
// still lives.
//
// If the holder dies, the guarded data decides what happens to the lock. If any
// intermediate state of the data is usable, the next process takes the lock
// over (kTakeOver). Otherwise the lock is broken for good, and every Acquire
// returns false (kBreak). Holding::from_dead tells a thread that it has taken
// the lock over. The thread may then need to check the data.
//
// Acquire and Release order the accesses under the lock. The lock also excludes
// threads of one process from each other. It is not recursive.
//
// The thread-safety analysis checks the callers of a function that may acquire
// a lock (ABSL_EXCLUSIVE_TRYLOCK_FUNCTION), but not the function itself.
#ifndef PORTALS_ENGINE_SHARED_LOCK_H_
#define PORTALS_ENGINE_SHARED_LOCK_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/process.h"

namespace gasnet::portals4 {

enum class DeadHolder : uint8_t { kTakeOver, kBreak };

class ABSL_LOCKABLE SharedLock {
 public:
  // Acquires the lock. Returns false, without the lock, if the lock is broken.
  bool Acquire(DeadHolder dead) ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) {
    if (TryAcquire()) [[likely]]
      return true;
    return AcquireSlowly(dead) != Got::kBroken;
  }
  bool TryAcquire() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) {
    uint64_t free = 0;
    return word_.compare_exchange_strong(free, ThisProcess(),
                                         std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }
  void Release() ABSL_UNLOCK_FUNCTION() {
    word_.store(0, std::memory_order_release);
  }

  bool IsBroken() const {
    return word_.load(std::memory_order_relaxed) == kBroken;
  }
  // Takes the lock over if its holder is dead. Returns true if it has taken the
  // lock. The lock must be of the kTakeOver kind.
  bool TakeOverFromDead() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true);

 private:
  friend class Holding;
  static constexpr uint64_t kBroken = ~uint64_t{0};
  enum class Got : uint8_t { kBroken, kFree, kFromDead };

  // Not analysed: some results mean that the lock is held, and others that it
  // is not. No annotation can express this for an enum.
  Got AcquireSlowly(DeadHolder dead) ABSL_NO_THREAD_SAFETY_ANALYSIS;
  bool Bury(uint64_t holder, DeadHolder dead);

  std::atomic<uint64_t> word_;
};

// Holds a lock of the kTakeOver kind for a scope.
class ABSL_SCOPED_LOCKABLE Holding {
 public:
  // Not analysed: AcquireSlowly takes the lock, but has no annotation that says
  // so.
  explicit Holding(SharedLock& lock)
      ABSL_EXCLUSIVE_LOCK_FUNCTION(lock) ABSL_NO_THREAD_SAFETY_ANALYSIS
      : lock_(lock),
        from_dead_(!lock.TryAcquire() &&
                   lock.AcquireSlowly(DeadHolder::kTakeOver) ==
                       SharedLock::Got::kFromDead) {}
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;
  ~Holding() ABSL_UNLOCK_FUNCTION() { lock_.Release(); }

  // Returns true if the previous holder died while it held the lock.
  bool from_dead() const { return from_dead_; }

 private:
  SharedLock& lock_;
  const bool from_dead_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_SHARED_LOCK_H_
