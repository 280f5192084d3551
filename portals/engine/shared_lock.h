// A lock in shared memory that survives the death of its holders.
//
// The word is 0, the process that holds the lock, or kBroken. A lock is held
// for some hundred instructions. A process that finds the lock held spins, then
// yields, then naps. While it naps, it checks now and again if the holder still
// lives.
//
// The treatment of a dead holder's lock depends on the guarded data. If any
// intermediate state of the data is usable, the next process takes the lock
// over (kTakeOver). Otherwise the lock is broken for good, and every Acquire
// returns false (kBreak). A thread that takes a lock over learns of it
// (Holding::from_dead), since it may need to check the data.
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
  // Takes the lock over if its holder is dead, and returns true if it did so.
  // The lock must be of the kTakeOver kind.
  bool TakeOverFromDead() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true);

 private:
  friend class Holding;
  static constexpr uint64_t kBroken = ~uint64_t{0};
  enum class Got : uint8_t { kBroken, kFree, kFromDead };

  // Not analysed: the analysis cannot express that the lock is held after some
  // values of an enum.
  Got AcquireSlowly(DeadHolder dead) ABSL_NO_THREAD_SAFETY_ANALYSIS;
  bool Bury(uint64_t holder, DeadHolder dead);

  std::atomic<uint64_t> word_;
};

// Holds a lock of the kTakeOver kind for a scope.
class ABSL_SCOPED_LOCKABLE Holding {
 public:
  // Not analysed: AcquireSlowly, which takes the lock, is not annotated as
  // doing so.
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
