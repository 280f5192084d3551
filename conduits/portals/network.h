// A network::Network over one Portals interface. It reaches the ranks with
// which this rank shares no memory.
//
// A poll looks at the three queues in their order. It takes no more events from
// a queue than the queue's limit. It takes a request only while it holds the
// room for the reply. Any number of threads may poll at once.
//
// A sleeping thread waits in Portals. Portals wakes it with an event taken out
// of a queue. The thread leaves the event in the stash of that queue. Polls
// look first in the stash. Only one thread at a time sleeps this way, and it
// waits only for queues whose stash is empty. Another thread wakes it by a put
// of this rank to itself (bell.h).
#ifndef CONDUITS_PORTALS_NETWORK_H_
#define CONDUITS_PORTALS_NETWORK_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/cache_line.h"
#include "base/clock.h"
#include "conduits/portals/barrier.h"
#include "conduits/portals/bell.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/messages.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/stall_watchdog.h"
#include "conduits/portals/start.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/transfers.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/network/lost_peers.h"
#include "core/network/network.h"
#include "core/observe/network_counts.h"
#include "core/segment.h"
#include "core/thread/real_lock.h"
#include "job/job.h"

namespace gasnet::portals_conduit {

class PortalsNetwork final : public network::Network {
 public:
  // Opens the network. Collective: fails on all ranks if one rank fails.
  static absl::StatusOr<std::unique_ptr<PortalsNetwork>> Open(job::Job& job);
  // Closes Portals. The memory that Portals uses is freed later.
  ~PortalsNetwork() override;

  // Overrides of network::Network.
  absl::Status Start() override;
  network::Capabilities capabilities() const override {
    return {.sends_in_steps = true, .awaits = true};
  }
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) override;
  network::Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                       bool again) override;
  size_t MaxMedium() const override { return messages_.sender().max_medium(); }
  size_t WholeMedium(Rank) const override { return messages_.sender().whole(); }
  size_t MaxLong() const override { return max_long_; }
  int64_t NextDeadline() const override;
  void Await(int64_t nanos) override;
  void Ring() override;
  uintptr_t MaxSegment() const override { return most_pinned_; }
  absl::StatusOr<network::Exposed> Expose(EndpointIndex endpoint,
                                          const Segment& segment) override;
  void Attach(std::span<const Segment> segments,
              std::span<const network::Exposed> exposed) override;
  observe::NetworkWait LongestWait() override;
  void Drain(bool patient) override;
  void Report() const override;
  rma::Rma* rma() override { return &transfers_; }
  // Returns null if the limits of any rank forbid the Portals barrier.
  PortalsBarrier* barrier() override { return barrier_.get(); }

 private:
  // An event that the sleeping thread has taken from a queue.
  struct Stash {
    // kEmpty: the sleeping thread may store an event. kTaken: a polling thread
    // is copying the event.
    enum class State : uint8_t { kEmpty, kFull, kTaken };
    std::atomic<State> state{State::kEmpty};
    ptl_event_t event;
  };

  PortalsNetwork(job::Job& job, PortalsStartup started);

  uint32_t receipts() const {
    return receipts_.load(std::memory_order_relaxed);
  }
  bool Next(Queue queue, ptl_event_t& event);
  bool TakeStashed(Stash& stash, ptl_event_t& event);
  unsigned PollSystem();
  unsigned PollSafe(am::Dispatcher* dispatcher, unsigned& taken);
  unsigned PollRequests(am::Dispatcher& dispatcher, unsigned& taken);
  unsigned TakeSafe(const ptl_event_t& event, am::Dispatcher* dispatcher);
  void TakeGet(const ptl_event_t& event);
  void TakeFailure(const ptl_event_t& event);
  void Forget(const ptl_event_t& event);
  void NoteLost(Rank peer, std::string what);
  void LookForLost();
  void LookForStall();
  void LookForLeft();
  void DrainFor(int64_t nanos);
  void DrainAll();
  void AwaitEvent(int64_t nanos);

  job::Job& job_;
  const PortalsSettings settings_;
  const std::string credits_path_;  // GASNET_PORTAL_CREDIT_STATS_FILE
  const uintptr_t most_pinned_;
  const std::unique_ptr<ConduitInterface> interface_;
  const std::vector<ptl_process_t> processes_;
  PortalsStatistics statistics_;
  OpSlots op_slots_;
  PortalsTransfers transfers_;
  PortalsMessages messages_;
  size_t max_long_;
  Bell bell_;
  const std::unique_ptr<PortalsBarrier> barrier_;
  std::array<Stash, kQueues> stashes_;
  // Written by polling threads, on separate cache lines.
  alignas(kCacheLine) std::atomic<uint32_t> receipts_{0};  // polls with events
  std::atomic<uint32_t> empty_polls_{0};  // relaxed: an estimate
  // Written by threads that look for failures, on separate cache lines.
  alignas(kCacheLine) thread::RealLock lost_lock_;
  network::LostPeers lost_ ABSL_GUARDED_BY(lost_lock_);
  std::atomic<bool> has_lost_{false};
  thread::RealLock stall_watchdog_lock_;
  StallWatchdog stall_watchdog_ ABSL_GUARDED_BY(stall_watchdog_lock_);
  int64_t next_look_for_left_ ABSL_GUARDED_BY(stall_watchdog_lock_) = 0;
  // Statistics visit the counts until this object is destroyed.
  const observe::NetworkCounts counts_{
      &statistics_, [](const void* of, observe::NetworkCounts::Add add) {
        static_cast<const PortalsStatistics*>(of)->ForEachCounted(add);
      }};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_NETWORK_H_
