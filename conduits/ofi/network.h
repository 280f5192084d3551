// A network::Network over one libfabric endpoint. It reaches the ranks with
// which this rank shares no memory.
//
// A thread holds the lock of the conduit in all calls of the library. Handlers
// run without the lock. Pollers only try to take the lock: if another thread
// holds it, that thread polls, or soon will. Senders wait for the lock and have
// priority.
#ifndef CONDUITS_OFI_NETWORK_H_
#define CONDUITS_OFI_NETWORK_H_

#include <rdma/fi_eq.h>

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
#include "base/clock.h"
#include "conduits/ofi/domain_lock.h"
#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/longs.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/naps.h"
#include "conduits/ofi/segment_keys.h"
#include "conduits/ofi/silence_watchdog.h"
#include "conduits/ofi/start.h"
#include "conduits/ofi/transfers.h"
#include "conduits/ofi/tuning.h"
#include "conduits/ofi/waited.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/am/owed_replies.h"
#include "core/am/tuning.h"
#include "core/am/unattended.h"
#include "core/ip/host_names.h"
#include "core/ip/progress_thread.h"
#include "core/network/network.h"
#include "core/network/unattended_service.h"
#include "core/observe/network_counts.h"
#include "core/rma/rma.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::ofi {

class OfiNetwork final : public network::Network, private am::ReplySender {
 public:
  // Opens the network. Collective: fails on all ranks if one rank fails.
  static absl::StatusOr<std::unique_ptr<OfiNetwork>> Open(job::Job& job);
  // Ends the progress thread and closes the endpoint. The buffers that the
  // endpoint uses are freed later.
  ~OfiNetwork() override {
    progress_thread_.reset();
    endpoint_->Close();
  }

  // Implements network::Network.
  absl::Status Start() override;
  network::Capabilities capabilities() const override {
    return {.sends_in_steps = true};
  }
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) override;
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t) override {
    const thread::Holder hold(lock_);
    return messages_.MayHaveRoom(peer, lane);
  }
  network::Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                       bool again) override;
  size_t MaxMedium() const override { return am::kMaxMedium; }
  size_t WholeMedium(Rank) const override { return whole_; }
  size_t MaxLong() const override { return max_long_; }
  int64_t NextDeadline() const override;
  std::span<const int> fds() const override { return endpoint_->fds(); }
  absl::StatusOr<network::Exposed> Expose(EndpointIndex endpoint,
                                          const Segment& segment) override;
  void Attach(std::span<const Segment> segments,
              std::span<const network::Exposed> exposed) override;
  void ServeUnattended(am::Dispatcher& dispatcher, void (*ring)(void* link),
                       void* link) override {
    service_.Set(dispatcher, ring, link);
  }
  void SetWatched(bool watched) override { service_.SetWatched(watched); }
  rma::Rma* rma() override { return &rma_; }
  observe::NetworkWait LongestWait() override;
  void Drain(bool patient) override;

 private:
  // Forwards puts and gets to transfers_, under the lock.
  class OfiRma final : public rma::Rma {
   public:
    explicit OfiRma(OfiNetwork& network) : network_(network) {}

    rma::Posted Post(const rma::Put& put) override;
    rma::Posted Post(const rma::Get& get) override;
    bool Reaches(Rank peer) const override {
      return network_.reach().Reaches(peer);
    }
    const rma::Thresholds& thresholds() const override {
      return network_.reach().thresholds();
    }

   private:
    OfiNetwork& network_;
  };
  using Entries = std::array<fi_cq_data_entry, kBatch>;
  // The results of the completions that one read of the queue has returned.
  struct Batch {
    std::array<Arrival, kBatch> arrivals;
    size_t size = 0;         // number of arrivals
    unsigned completed = 0;  // number of completed transfers
  };
  // The thread that handles completed transfers: this thread now, or a thread
  // of the client later.
  enum class Transfers : uint8_t { kNow, kLater };

  OfiNetwork(job::Job& job, OfiStartup started);

  uint32_t receipts() const {
    return receipts_.load(std::memory_order_relaxed);
  }
  // Returns transfers_ without taking the lock. Callers may only read members
  // that do not change after Attach().
  const OfiTransfers& reach() const ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return transfers_;
  }
  // Likewise. The counts may be read at any time.
  const OfiMessages::Counts& message_counts() const
      ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return messages_.counts();
  }
  size_t Read(Entries& entries) ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool WasStirred() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Does the work of a poll that found no completion: checks for long waits and
  // for ranks that have left. Returns the number of transfers that this work
  // has ended.
  unsigned FoundNothing() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Ends transfers to lost peers. Returns the number of these transfers.
  unsigned LookForLost() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool AnyHasLeft() const;
  am::Post Sent(Rank peer, const am::Message& message, am::Post post) const;
  // Returns true if an operation is under way to a rank that has not left.
  bool IsForSomebody() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Processes completions, and returns the messages that have arrived.
  Batch Take(std::span<const fi_cq_data_entry> entries,
             Transfers completed = Transfers::kNow)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Runs the handlers of arrived messages, with the lock released.
  unsigned Deliver(const Batch& batch, am::Lanes lanes,
                   am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Returns messages that are now complete, because their waiting fragments
  // found room.
  Batch TakeWaiting() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  unsigned ServeKept(am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  static void ListCounts(const void* network, observe::NetworkCounts::Add add);

  // attendance.cc has the following functions. Work() returns the work
  // of the progress thread: Attended() and Attend().
  ip::ProgressThread::Work Work();
  int Attended();
  void Attend();
  // Returns true if it has done anything that a thread of the client may wait
  // for.
  bool AttendOnce(am::Dispatcher& dispatcher);
  void AttendTo(const Arrival& arrival, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  am::Unattended::Service Serve(const Arrival& arrival,
                                am::Dispatcher& dispatcher);
  bool MayReply(Rank dest) override {
    return MayHaveRoom(dest, Lane::kReply, 0);
  }
  am::Post SendReply(Rank dest, const am::Message& message) override;
  am::Post SendAtOnce(Rank dest, const am::Message& message)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  void SendOwed() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  bool HasLeftAnything() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  // Handles the operations and messages that the progress thread has left.
  unsigned TakeLeft(am::Lanes lanes, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);
  unsigned DeliverLeft(std::vector<Arrival>& left, am::Dispatcher& dispatcher)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  job::Job& job_;
  const std::unique_ptr<OfiEndpoint> endpoint_;
  const std::vector<std::string> names_;  // endpoint addresses of all ranks
  const ip::HostNames hosts_;
  mutable DomainLock lock_;  // guards the endpoint as well
  Seconds clock_ ABSL_GUARDED_BY(lock_);
  OfiMessages messages_ ABSL_GUARDED_BY(lock_);
  OfiTransfers transfers_ ABSL_GUARDED_BY(lock_);
  Longs longs_ ABSL_GUARDED_BY(lock_);
  SilenceWatchdog silence_watchdog_ ABSL_GUARDED_BY(lock_);
  uint32_t empty_ ABSL_GUARDED_BY(lock_) =
      0;  // consecutive looks that found nothing
  // a thread has slept between the last look and now
  mutable bool slept_ ABSL_GUARDED_BY(lock_) = false;
  // True if the provider had work to do when a thread was about to sleep. The
  // thread then did not sleep.
  mutable bool stirred_ ABSL_GUARDED_BY(lock_) = false;
  OwnSegment own_segment_;
  const size_t whole_;  // size of the largest payload in one frame
  size_t max_long_ = am::kMaxMedium;
  std::atomic<uint32_t> receipts_{0};  // number of polls that took a completion
  mutable Naps naps_ ABSL_GUARDED_BY(lock_);
  OfiRma rma_{*this};
  // The progress thread (GASNET_OFI_PROGRESS), and what it has left to the
  // client's threads.
  std::vector<OperationContext*> ended_ ABSL_GUARDED_BY(lock_);
  std::vector<Arrival> replies_ ABSL_GUARDED_BY(lock_);
  // unattended requests whose replies found no room
  std::vector<Arrival> unanswered_ ABSL_GUARDED_BY(lock_);
  am::OwedReplies owed_ ABSL_GUARDED_BY(lock_);
  // it has kept a request since the client's last poll
  bool kept_requests_ ABSL_GUARDED_BY(lock_) = false;
  bool drains_ ABSL_GUARDED_BY(lock_) = false;
  std::atomic<uint32_t> polls_{0};
  network::UnattendedService service_;
  std::unique_ptr<ip::ProgressThread> progress_thread_;
  // Statistics visit the counts until this object is destroyed.
  const observe::NetworkCounts counts_{this, &ListCounts};
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_NETWORK_H_
