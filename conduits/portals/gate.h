// The state of the target's entry of requests, and the ranks to notify when the
// entry is open again. Portals shuts the entry when there is no room.
//
//   open --PTL_EVENT_PT_DISABLED--> shut --Open--> open
//
// The thread that finds the queue of requests empty opens the entry, and
// notifies the peers that were refused. PTL_EVENT_PT_DISABLED is the last event
// in the queue, and arrives before any peer can be refused. Thread-safe.
#ifndef CONDUITS_PORTALS_GATE_H_
#define CONDUITS_PORTALS_GATE_H_

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/rank.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals_conduit {

class Gate {
 public:
  // Returns true if Open has nothing to do.
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

  // Opens the entry by calling enable(), if the entry was shut and `has_room`
  // is true. `has_room` means that there is enough room for more requests.
  // Returns the ranks to notify. Called when the queue is empty.
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

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_GATE_H_
