// One thread at a time drives a node. A thread that finds another at it
// goes on.
//
//   not driven --TryBegin--> driven --End--> not driven
//
// An event of another thread may come too late for the driver's last look, and
// the driver may be kept from running between that look and End. So nobody
// relies on the driver alone:
//
//   thread that found a driver   1. has handed over, pushed or counted
//                                2. sets missed_   3. looks at driven_ again
//   driver                       1. clears driven_   2. looks at missed_
//                                3. clears missed_   4. looks for the rest
//
// All of these are sequentially consistent, and each of the two threads reads
// what the other writes: if the first one finds the driver still at it, the
// driver finds missed_ set. If the first one found it set already, that was
// before the driver cleared it, and so was its step 1, which step 4 sees. To
// poll in vain keeps no driver from going on: without anything for the rest, it
// does not drive again.
//
// Where threads are not concurrent the client orders them, and none is missed.
#ifndef COLL_DRIVING_H_
#define COLL_DRIVING_H_

#include <atomic>

#include "core/thread/mode.h"

namespace gasnet::coll {

class Driving {
 public:
  bool TryBegin() {
    if constexpr (thread::kConcurrent) {
      return !driven_.load(std::memory_order_seq_cst) &&
             !driven_.exchange(true, std::memory_order_seq_cst);
    } else {
      if (driven_.load(std::memory_order_relaxed)) return false;
      driven_.store(true, std::memory_order_relaxed);
      return true;
    }
  }
  // After another thread was found at it, or this one further down the stack.
  bool TryBeginAgain() {
    if constexpr (!thread::kConcurrent) return false;
    // Set already, it is not written, while several threads wait.
    if (!missed_.load(std::memory_order_seq_cst)) {
      missed_.store(true, std::memory_order_seq_cst);
    }
    return TryBegin();
  }

  // TakeMissed follows.
  void End() {
    driven_.store(false, thread::kConcurrent ? std::memory_order_seq_cst
                                             : std::memory_order_relaxed);
  }
  // Whether a thread was notified since that another one drives; forgets it.
  bool TakeMissed() {
    if constexpr (!thread::kConcurrent) return false;
    if (!missed_.load(std::memory_order_seq_cst)) return false;
    missed_.store(false, std::memory_order_seq_cst);
    return true;
  }

 private:
  std::atomic<bool> driven_{false};
  std::atomic<bool> missed_{false};
};

}  // namespace gasnet::coll

#endif  // COLL_DRIVING_H_
