// A lock that is real in every threading mode: for what a thread of the conduit
// looks after beside a client that has one thread only, and for what a signal
// handler that ends the process must find free.
//
// One atomic exchange to acquire, one store to release.
#ifndef CORE_THREAD_LOCK_H_
#define CORE_THREAD_LOCK_H_

#include <sched.h>

#include <atomic>

#include "base/cpu.h"
#include "core/thread/tuning.h"

namespace gasnet::thread {

// Has the members that std::lock_guard and std::unique_lock call.
class Lock {
 public:
  Lock() = default;
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  bool try_lock() {
    return !held_.load(std::memory_order_relaxed) &&
           !held_.exchange(true, std::memory_order_acquire);
  }

  void lock() {
    // The holder may have lost its processor, or be in a system call: after a
    // moment, give it ours.
    for (unsigned tries = 0; !try_lock(); ++tries) {
      if (tries < kLockSpins) {
        CpuRelax();
      } else {
        sched_yield();
      }
    }
  }

  // Pairs with the exchange of the thread that locks next.
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_LOCK_H_
