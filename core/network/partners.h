// The links of one endpoint to endpoints of other indices, on ranks of this
// host: a hostshm::HostLink for each such index, created for the first message
// to or from that index.
//
// A receiver does not poll unused rings. It always polls the rings from its own
// index and from index 0. An announcement tells the receiver to poll other
// rings. The sender's endpoint 0 sends the announcement to a rank ahead of the
// first request to that rank. Replies need no announcement: a rank that sends a
// request polls for its reply.
//
// Any thread may call under GASNET_PAR. Partners are never removed.
#ifndef CORE_NETWORK_PARTNERS_H_
#define CORE_NETWORK_PARTNERS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/hostshm/host_link.h"

namespace gasnet::network {

// The interface that makes partners.
class PartnerSource {
 public:
  // Makes the link from this rank's endpoint `own` to endpoints `partner`. Ends
  // the job if memory is short.
  virtual std::unique_ptr<hostshm::HostLink> MakeLink(
      EndpointIndex own, EndpointIndex partner) = 0;
  // Announces that this rank's endpoint `own` sends requests to the peer's
  // endpoint `partner`. Returns kRetry if there is no room now.
  virtual am::Post Announce(Rank peer, EndpointIndex own,
                            EndpointIndex partner) = 0;

 protected:
  ~PartnerSource() = default;
};

class Partners {
 public:
  // Prepares for the links of endpoint `own`, among `ranks` ranks in all. Must
  // be called first.
  void Init(EndpointIndex own, Rank ranks, PartnerSource& source);

  bool Any() const { return open_.load(std::memory_order_relaxed) != 0; }
  // Makes polls look at the rings from endpoints of index `partner` from here
  // on.
  void Open(EndpointIndex partner) { To(partner); }

  // Like the functions of am::Link, between endpoints of different indices.
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher);
  bool HasMessages() const;

 private:
  struct Partner {
    std::unique_ptr<hostshm::HostLink> link;
    // True for each rank that got the announcement. Null if none is needed.
    std::unique_ptr<std::atomic<bool>[]> announced;
  };

  Partner& To(EndpointIndex index) {
    Partner* const there = by_index_[index].load(std::memory_order_acquire);
    return there != nullptr ? *there : Make(index);
  }
  Partner& Make(EndpointIndex index);

  EndpointIndex own_ = 0;
  Rank ranks_ = 0;
  PartnerSource* source_ = nullptr;
  std::atomic<uint32_t> open_{0};  // one bit for each partner
  std::array<std::atomic<Partner*>, kMaxEndpoints> by_index_{};
  absl::Mutex mutex_;  // held while a partner is created
  std::array<std::unique_ptr<Partner>, kMaxEndpoints> made_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_PARTNERS_H_
