// A lock in shared memory that survives its holders.
//
// The word is 0, the process that holds the lock, or kBroken. It is held for
// some hundred instructions. A process that finds it held spins, yields, then
// naps, and from then on asks now and again whether the holder lives. The lock
// of a dead holder depends on its data: where any state in between will do, the
// next one takes the lock over (kTakeOver); else it is broken for good, and
// everybody's Acquire answers false (kBreak).
//
// Acquire and Release order what is done under the lock. Threads of one process
// exclude each other as those of different ones do. Not recursive.
#ifndef PORTALS_ENGINE_SHARED_LOCK_H_
#define PORTALS_ENGINE_SHARED_LOCK_H_

#include <atomic>
#include <cstdint>

#include "portals/engine/process.h"

namespace gasnet::portals4 {

enum class DeadHolder { kTakeOver, kBreak };

class SharedLock {
 public:
  // False: broken, and not held.
  bool Acquire(DeadHolder dead) {
    uint64_t free = 0;
    if (word_.compare_exchange_strong(free, ThisProcess(),
                                      std::memory_order_acquire,
                                      std::memory_order_relaxed)) [[likely]] {
      return true;
    }
    return AcquireSlowly(dead);
  }
  bool TryAcquire() {
    uint64_t free = 0;
    return word_.compare_exchange_strong(free, ThisProcess(),
                                         std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }
  void Release() { word_.store(0, std::memory_order_release); }

  // In memory that nobody else sees yet, or that nobody locks.
  void Reset() { word_.store(0, std::memory_order_relaxed); }
  bool IsBroken() const {
    return word_.load(std::memory_order_relaxed) == kBroken;
  }
  // Whether its holder is dead; then a lock of the kTakeOver kind is ours.
  bool TakeOverFromDead();

 private:
  static constexpr uint64_t kBroken = ~uint64_t{0};

  bool AcquireSlowly(DeadHolder dead);
  bool Bury(uint64_t holder, DeadHolder dead);

  std::atomic<uint64_t> word_;
};

// Locks of the kTakeOver kind, for a scope.
class Holding {
 public:
  explicit Holding(SharedLock& lock) : lock_(lock) {
    lock_.Acquire(DeadHolder::kTakeOver);
  }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;
  ~Holding() { lock_.Release(); }

 private:
  SharedLock& lock_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_SHARED_LOCK_H_
