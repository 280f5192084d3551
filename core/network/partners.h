// The links of one endpoint to endpoints of other indices, of the ranks of this
// host: a hostshm::HostLink for each such index, made when the first message
// goes there or comes from there.
//
// A receiver does not look at rings that nobody uses. It always looks at those
// from its own index and from 0; of others it hears by an announcement, which
// the sender's endpoint 0 sends ahead of the first request to that rank.
// Replies need none: who asked looks for them.
//
// Any thread, under GASNET_PAR. A partner that is there stays.
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

// Makes partners.
class PartnerSource {
 public:
  // The link of this rank's endpoint `own` to endpoints `partner`. Ends the job
  // where there is no memory for it.
  virtual std::unique_ptr<hostshm::HostLink> MakeLink(
      EndpointIndex own, EndpointIndex partner) = 0;
  // Tells the peer's endpoint `partner` that requests of this rank's `own` are
  // coming. kRetry: there is no room now.
  virtual am::Post Announce(Rank peer, EndpointIndex own,
                            EndpointIndex partner) = 0;

 protected:
  ~PartnerSource() = default;
};

class Partners {
 public:
  // Of the endpoint `own`, among so many ranks in all. Before all else.
  void Init(EndpointIndex own, Rank ranks, PartnerSource& source);

  bool Any() const { return open_.load(std::memory_order_relaxed) != 0; }
  // From here on polls look at the rings from endpoints of that index.
  void Open(EndpointIndex partner) { To(partner); }

  // Of am::Link, between endpoints of different indices.
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher);
  bool HasMessages() const;

 private:
  struct Partner {
    std::unique_ptr<hostshm::HostLink> link;
    // To each rank; where that is necessary.
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
  std::atomic<uint32_t> open_{0};  // a bit for each
  std::array<std::atomic<Partner*>, kMaxEndpoints> by_index_{};
  absl::Mutex mutex_;  // of those who make one
  std::array<std::unique_ptr<Partner>, kMaxEndpoints> made_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_PARTNERS_H_
