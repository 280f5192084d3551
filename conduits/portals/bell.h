// Wakes the thread of this rank that waits for Portals, if there is one, by a
// put of the rank to itself, to a queue that only this thread reads.
//
// At most one ring and one by a counter are under way. Each is requested again
// only after the waiting thread has heard it, so the queue has room. A thread
// that waits for a condition that is no event of Portals announces it (Begin),
// and checks the condition again. A thread that makes the condition true checks
// afterwards if a thread waits. Both are sequentially consistent, so one sees
// the other.
#ifndef CONDUITS_PORTALS_BELL_H_
#define CONDUITS_PORTALS_BELL_H_

#include <atomic>
#include <cstdint>

#include "conduits/portals/interface.h"
#include "conduits/portals/tagged.h"
#include "core/rank.h"

namespace gasnet::portals {

class Bell {
 public:
  Bell(Interface& interface, Rank me) : interface_(interface), me_(me) {}

  // May be called by any thread.
  void Ring() {
    if (has_rung_.exchange(true, std::memory_order_seq_cst)) return;
    interface_.SendEmpty(To(kByThread), Tagged());
  }
  void RingAwaiting() {
    if (awaits_.load(std::memory_order_seq_cst)) Ring();
  }

  // Called by the waiting thread; there is one at a time.
  void Begin() { awaits_.store(true, std::memory_order_seq_cst); }
  void End() { awaits_.store(false, std::memory_order_relaxed); }
  // Makes Portals ring when the counter reaches `count`; at once if it has.
  void RingAt(ptl_handle_ct_t counter, uint64_t count) {
    if (is_set_.load(std::memory_order_relaxed)) return;
    is_set_.store(true, std::memory_order_relaxed);
    interface_.PutAt(counter, count, Descriptor::kQuiet, To(kByCounter),
                     Tagged());
  }
  void Hear(const ptl_event_t& event) {
    if (event.hdr_data == kByCounter) {
      is_set_.store(false, std::memory_order_relaxed);
    } else {
      has_rung_.store(false, std::memory_order_seq_cst);
    }
  }

 private:
  static constexpr uint64_t kByThread = 0;
  static constexpr uint64_t kByCounter = 1;

  Target To(uint64_t by) const {
    return {.peer = me_, .table = Table::kBell, .header_data = by};
  }
  void* Tagged() const { return TagRank(me_, Kind::kSystem); }

  Interface& interface_;
  const Rank me_;
  std::atomic<bool> awaits_{false};
  std::atomic<bool> has_rung_{false};  // and it has not been heard yet
  // The same for a counter. Used by one waiting thread after another, which are
  // ordered among themselves.
  std::atomic<bool> is_set_{false};
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_BELL_H_
