// The doorbell of this rank's waiting thread. At most one thread waits in
// Portals. The bell wakes this thread by a put of this rank to itself. The put
// goes to a queue that only the waiting thread reads.
//
// At most one ring by a thread and one ring by a counter are under way. A ring
// is requested again only after the waiting thread has heard the previous one,
// so the queue always has room.
//
// Some conditions become true without an event of Portals. A thread that waits
// for such a condition calls Begin(), and then checks the condition again. A
// thread that makes the condition true checks afterwards if a thread waits.
// Both accesses are sequentially consistent. So the waiting thread sees the
// condition, or the other thread sees that it waits.
#ifndef CONDUITS_PORTALS_BELL_H_
#define CONDUITS_PORTALS_BELL_H_

#include <atomic>
#include <cstdint>

#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/tagged.h"
#include "core/rank.h"

namespace gasnet::portals_conduit {

class Bell {
 public:
  Bell(ConduitInterface& interface, Rank me) : interface_(interface), me_(me) {}

  // Wakes the waiting thread. Thread-safe.
  void Ring() {
    if (has_rung_.exchange(true, std::memory_order_seq_cst)) return;
    interface_.SendEmpty(To(kByThread), Tagged());
  }
  void RingAwaiting() {
    if (awaits_.load(std::memory_order_seq_cst)) Ring();
  }

  // Mark the time in which a thread waits. Called by the waiting thread; only
  // one thread waits at a time.
  void Begin() { awaits_.store(true, std::memory_order_seq_cst); }
  void End() { awaits_.store(false, std::memory_order_relaxed); }
  // Makes Portals ring when the counter reaches `count`. Portals rings at once
  // if the counter has already reached `count`.
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

  RemoteTarget To(uint64_t by) const {
    return {.peer = me_, .table = PortalTable::kBell, .header_data = by};
  }
  void* Tagged() const { return TagRank(me_, TagKind::kSystem); }

  ConduitInterface& interface_;
  const Rank me_;
  std::atomic<bool> awaits_{false};
  std::atomic<bool> has_rung_{false};  // rung by a thread and not heard yet
  // True if a ring by a counter is requested and not heard yet. Only the
  // waiting thread uses this variable. Successive waiting threads are ordered
  // among themselves.
  std::atomic<bool> is_set_{false};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_BELL_H_
