// Mutual exclusion among the client threads of one process, for sections of a
// few dozen instructions that never run client code.
//
// Acquiring costs one atomic exchange, releasing one store. The lock compiles
// to nothing if only one thread at a time is inside GASNet.
#ifndef CORE_THREAD_SPIN_LOCK_H_
#define CORE_THREAD_SPIN_LOCK_H_

#include <sched.h>

#include <atomic>

#include "absl/base/thread_annotations.h"
#include "base/cpu.h"
#include "core/thread/holder.h"  // IWYU pragma: export
#include "core/thread/mode.h"
#include "core/thread/tuning.h"

namespace gasnet::thread {

// Has the members that thread::Holder requires.
class ABSL_LOCKABLE SpinLock {
 public:
  SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  [[gnu::always_inline]] bool try_lock() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) {
    if constexpr (!kConcurrent) return true;
    return !held_.load(std::memory_order_relaxed) &&
           !held_.exchange(true, std::memory_order_acquire);
  }

  // Inlined, since a call costs as much as the lock.
  [[gnu::always_inline]] void lock()
      ABSL_EXCLUSIVE_LOCK_FUNCTION() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    if constexpr (!kConcurrent) return;
    if (!try_lock()) [[unlikely]]
      WaitAndLock();
  }

  void unlock() ABSL_UNLOCK_FUNCTION() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    if constexpr (!kConcurrent) return;
    held_.store(false, std::memory_order_release);
  }

 private:
  // The holder may have been preempted. So after a moment this thread yields
  // its processor to the holder.
  [[gnu::noinline]] void WaitAndLock() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    for (unsigned tries = 0; !try_lock(); ++tries) {
      if (tries < kLockSpins) {
        CpuRelax();
      } else {
        sched_yield();
      }
    }
  }

  std::atomic<bool> held_{false};
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_SPIN_LOCK_H_
