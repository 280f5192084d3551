// A lock that excludes other threads in every threading mode, even if the
// client has one thread. It guards data that threads of the conduit also use.
// It also guards data whose lock must not be held when a signal handler ends
// the process.
//
// Acquiring costs one atomic exchange, releasing one store.
#ifndef CORE_THREAD_REAL_LOCK_H_
#define CORE_THREAD_REAL_LOCK_H_

#include <sched.h>

#include <atomic>

#include "absl/base/thread_annotations.h"
#include "base/cpu.h"
#include "core/thread/holder.h"  // IWYU pragma: export
#include "core/thread/tuning.h"

namespace gasnet::thread {

// Has the members that thread::Holder requires.
class ABSL_LOCKABLE RealLock {
 public:
  RealLock() = default;
  RealLock(const RealLock&) = delete;
  RealLock& operator=(const RealLock&) = delete;

  bool try_lock() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) {
    return !held_.load(std::memory_order_relaxed) &&
           !held_.exchange(true, std::memory_order_acquire);
  }

  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    // The holder may have been preempted, or be in a system call. So after a
    // moment this thread yields its processor to the holder.
    for (unsigned tries = 0; !try_lock(); ++tries) {
      if (tries < kLockSpins) {
        CpuRelax();
      } else {
        sched_yield();
      }
    }
  }

  // Pairs with the exchange of the thread that acquires the lock next.
  void unlock() ABSL_UNLOCK_FUNCTION() {
    held_.store(false, std::memory_order_release);
  }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_REAL_LOCK_H_
