// Lets one thread at a time drive a node. A thread that finds another thread
// driving does not wait for it.
//
//   not driven --TryBegin--> driven --End--> not driven
//
// The driver looks for work a last time and then calls End. In between it may
// be preempted, and another thread may add an event. So no thread relies on the
// driver alone:
//
//   thread that found a driver   1. has handed over, pushed or counted
//                                2. sets missed_   3. looks at driven_ again
//   driver                       1. clears driven_   2. looks at missed_
//                                3. clears missed_   4. looks for the rest
//
// All these steps are sequentially consistent, and each of the two threads
// reads a flag that the other writes. If the first thread still finds driven_
// set, the driver finds missed_ set. If the first thread found missed_ already
// set, it did so before the driver cleared missed_. The first thread's step 1
// was earlier still, so the driver's step 4 sees its effect. Polls without an
// event do not keep the driver busy: it does not drive again if no work is
// left.
//
// If threads are not concurrent, the client orders them, and no event is
// missed.
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
  // Tries once more to begin driving. Called after TryBegin failed, because
  // another thread drives or because this thread drives in an outer call.
  bool TryBeginAgain() {
    if constexpr (!thread::kConcurrent) return false;
    // Several threads may wait. The flag is written only if it is not set,
    // which keeps its cache line shared among their processors.
    if (!missed_.load(std::memory_order_seq_cst)) {
      missed_.store(true, std::memory_order_seq_cst);
    }
    return TryBegin();
  }

  // Stops driving. The caller then calls TakeMissed.
  void End() {
    driven_.store(false, thread::kConcurrent ? std::memory_order_seq_cst
                                             : std::memory_order_relaxed);
  }
  // Returns true if another thread has found this thread driving since the last
  // call of TakeMissed. Clears missed_.
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
