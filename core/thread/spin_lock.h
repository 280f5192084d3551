// Mutual exclusion among the client threads of one process, for sections of a
// few dozen instructions that never run client code.
//
// One atomic exchange to acquire, one store to release. Compiled to nothing
// where only one thread at a time is inside GASNet.
#ifndef CORE_THREAD_SPIN_LOCK_H_
#define CORE_THREAD_SPIN_LOCK_H_

#include <sched.h>

#include <atomic>

#include "base/cpu.h"
#include "core/thread/mode.h"
#include "core/thread/tuning.h"

namespace gasnet::thread {

class SpinLock {
 public:
  SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  [[gnu::always_inline]] bool TryLock() {
    if constexpr (!kConcurrent) return true;
    return !held_.load(std::memory_order_relaxed) &&
           !held_.exchange(true, std::memory_order_acquire);
  }

  // Inlined, since a call of it costs as much as the lock.
  [[gnu::always_inline]] void Lock() {
    if constexpr (!kConcurrent) return;
    if (!TryLock()) [[unlikely]]
      WaitAndLock();
  }

  void Unlock() {
    if constexpr (!kConcurrent) return;
    held_.store(false, std::memory_order_release);
  }

 private:
  // The holder may have lost its processor: after a moment, give it ours.
  [[gnu::noinline]] void WaitAndLock() {
    for (unsigned tries = 0; !TryLock(); ++tries) {
      if (tries < kLockSpins) {
        CpuRelax();
      } else {
        sched_yield();
      }
    }
  }

  std::atomic<bool> held_{false};
};

// Holds a SpinLock for a scope.
class SpinLockHolder {
 public:
  [[gnu::always_inline]] explicit SpinLockHolder(SpinLock& lock) : lock_(lock) {
    lock_.Lock();
  }
  ~SpinLockHolder() { lock_.Unlock(); }
  SpinLockHolder(const SpinLockHolder&) = delete;
  SpinLockHolder& operator=(const SpinLockHolder&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_SPIN_LOCK_H_
