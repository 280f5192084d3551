// Wakes the thread of this rank that waits for Portals, if one does, by a put
// of the rank to itself, to a queue that nobody else looks at.
//
// One ring and one of a counter are under way at most: each is not asked for
// again before the waiting thread has heard it, so that the queue has room.
// A thread that waits for something that is no event of Portals says that it
// waits (Begin), and looks again; who makes that something looks afterwards
// whether anybody waits. Both sequentially consistent, so one sees the other.
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

  // Any thread.
  void Ring() {
    if (has_rung_.exchange(true, std::memory_order_seq_cst)) return;
    interface_.SendEmpty(To(kByThread), Tagged());
  }
  void RingAwaiting() {
    if (awaits_.load(std::memory_order_seq_cst)) Ring();
  }

  // The waiting thread, of which there is one at a time.
  void Begin() { awaits_.store(true, std::memory_order_seq_cst); }
  void End() { awaits_.store(false, std::memory_order_relaxed); }
  // Portals rings when the counter has come so far; at once if it has.
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
  std::atomic<bool> has_rung_{false};  // and nobody has heard it yet
  // Likewise, by a counter. From one waiting thread to the next, which are
  // ordered among themselves.
  std::atomic<bool> is_set_{false};
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_BELL_H_
