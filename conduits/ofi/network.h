// The way to the ranks that this one shares no memory with: a network::Network
// of one libfabric endpoint.
//
// One lock of ours is around all calls of the library; handlers run outside of
// it. Pollers try it: who does not get it has nothing to look for, since its
// holder looks, or soon will. Senders wait for it, and go first.
#ifndef CONDUITS_OFI_NETWORK_H_
#define CONDUITS_OFI_NETWORK_H_

#include <rdma/fi_eq.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "conduits/ofi/domain_lock.h"
#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/longs.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/naps.h"
#include "conduits/ofi/segment_keys.h"
#include "conduits/ofi/silence.h"
#include "conduits/ofi/start.h"
#include "conduits/ofi/transfers.h"
#include "conduits/ofi/tuning.h"
#include "conduits/ofi/waited.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/ip/host_names.h"
#include "core/network/network.h"
#include "core/rma/rma.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::ofi {

class Network {
 public:
  // Collective; fails on all ranks when it fails on one.
  static absl::StatusOr<std::unique_ptr<Network>> Open(job::Job& job);

  // The transfers, under the lock.
  class Rma {
   public:
    explicit Rma(Network* network) : network_(network) {}

    rma::Posted Post(const rma::Put& put);
    rma::Posted Post(const rma::Get& get);
    bool Reaches(Rank peer) const { return network_->transfers_.Reaches(peer); }
    const rma::Thresholds& thresholds() const {
      return network_->transfers_.thresholds();
    }

   private:
    Network* network_;
  };

  // network::Network.
  static constexpr bool kSendsInSteps = true;
  absl::Status Start();
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher, bool again);
  uint32_t receipts() const {
    return receipts_.load(std::memory_order_relaxed);
  }
  size_t MaxMedium() const { return messages_.max_medium(); }
  size_t MaxLong() const { return max_long_; }
  void ServeTimers() {}
  int64_t NextDeadline() const;
  int fd() const { return endpoint_->fd(); }
  using Exposed = SegmentKey;
  absl::StatusOr<Exposed> Expose(const Segment& segment);
  void Attach(std::span<const Segment> segments,
              std::span<const Exposed> exposed);
  void Drain(bool patient);
  Rma rma() { return Rma(this); }

 private:
  using Entries = std::array<fi_cq_data_entry, kBatch>;
  struct Batch;

  Network(job::Job& job, Started started);

  size_t Read(Entries& entries);
  bool WasStirred() const;
  // How many transfers were over by that.
  unsigned FoundNothing();
  void Report(const Waited& waited) const;
  // How many transfers were over by that.
  unsigned LookForLost();
  bool AnyHasLeft() const;
  am::Post Sent(Rank peer, const am::Message& message, am::Post post) const;
  // Whether a rank that has not left is to take what is under way.
  bool IsForSomebody() const;
  // Completions, and what has arrived.
  Batch Take(std::span<const fi_cq_data_entry> entries);
  unsigned Deliver(std::unique_lock<DomainLock>& guard, const Batch& batch,
                   am::Lanes lanes, am::Dispatcher& dispatcher);
  unsigned ServeKept(std::unique_lock<DomainLock>& guard,
                     am::Dispatcher& dispatcher);

  job::Job& job_;
  const std::unique_ptr<Endpoint> endpoint_;
  const std::vector<std::string> names_;  // of all ranks' endpoints
  const ip::HostNames hosts_;
  mutable DomainLock lock_;  // of all that follows, and of the endpoint
  Seconds clock_;
  Messages messages_;
  Transfers transfers_;
  Longs longs_;
  Silence silence_;
  uint32_t empty_ = 0;          // looks since something was found
  mutable bool slept_ = false;  // since the last look
  // The provider had something to do, so that nobody slept.
  mutable bool stirred_ = false;
  OwnSegment own_segment_;
  size_t max_long_;
  std::atomic<uint32_t> receipts_{0};
  mutable Naps naps_;
};

static_assert(network::Network<Network> &&
              network::NetworkSendsInSteps<Network> &&
              network::NetworkHasRma<Network>);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_NETWORK_H_
