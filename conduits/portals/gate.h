// The entry of requests at their target, which Portals shuts when there is no
// room, and which ranks to notify when it is open again.
//
//   open --PTL_EVENT_PT_DISABLED--> shut --Open--> open
//
// It is opened, and peers that were refused are notified, by the thread that
// finds the queue of requests empty: the event that says it was shut is the
// last one in there, and was there before any peer could be refused. Any
// threads.
#ifndef CONDUITS_PORTALS_GATE_H_
#define CONDUITS_PORTALS_GATE_H_

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/rank.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals {

class Gate {
 public:
  // Whether Open has anything to do.
  bool IsIdle() const { return !busy_.load(std::memory_order_relaxed); }

  void Shut() {
    const thread::Holder hold(lock_);
    shut_ = true;
    busy_.store(true, std::memory_order_relaxed);
  }
  void Blocked(Rank peer) {
    const thread::Holder hold(lock_);
    blocked_.push_back(peer);
    busy_.store(true, std::memory_order_relaxed);
  }

  // The queue is empty. has_room: for as much that it is worth it. Answers the
  // ranks to be notified that it is open.
  template <class Enable>
  std::vector<Rank> Open(bool has_room, Enable enable) {
    const thread::Holder hold(lock_);
    if (shut_) {
      if (!has_room) return {};
      enable();
      shut_ = false;
    }
    busy_.store(false, std::memory_order_relaxed);
    return std::exchange(blocked_, {});
  }

 private:
  thread::SpinLock lock_;
  bool shut_ ABSL_GUARDED_BY(lock_) = false;
  std::vector<Rank> blocked_ ABSL_GUARDED_BY(lock_);
  std::atomic<bool> busy_{false};
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_GATE_H_
