// The lock of what is fake: real in every threading mode, since a signal
// handler may end the process and look whether it is free.
#ifndef CORE_RMA_TESTING_FAKE_LOCK_H_
#define CORE_RMA_TESTING_FAKE_LOCK_H_

#include <sched.h>

#include <atomic>

namespace gasnet::rma::testing {

// Has the members that std::lock_guard and std::unique_lock call.
class FakeLock {
 public:
  bool try_lock() { return !held_.exchange(true, std::memory_order_acquire); }
  void lock() {
    while (!try_lock()) sched_yield();
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace gasnet::rma::testing

#endif  // CORE_RMA_TESTING_FAKE_LOCK_H_
