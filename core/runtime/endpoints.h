// The endpoints of a rank, and the addresses of the segments of other ranks'
// endpoints.
#ifndef CORE_RUNTIME_ENDPOINTS_H_
#define CORE_RUNTIME_ENDPOINTS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/hostshm/endpoint_rings.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/segments.h"
#include "core/network/link.h"
#include "core/network/partners.h"
#include "core/runtime/endpoint.h"
#include "job/job.h"

namespace gasnet {

// The handler index of announcements (core/network/partners.h). It lies above
// the indices of the layers' handlers.
inline constexpr uint8_t kPartnerRequest = am::kFirstClientHandler - 1;

class Endpoints final : public network::PartnerSource {
 public:
  // first: the endpoint of index 0. All three arguments must outlive this
  // object.
  Endpoints(job::Job& job, const hostshm::Rings& rings, Endpoint& first);

  // Prepares messages between endpoints. Called before any message is sent.
  void Open();

  // Places the rings of further endpoints at `segments_end`, behind the
  // segments of all endpoints 0. Called before any rank knows that all ranks
  // have segments. From here on peers' threads may use rails (hostshm/rails.h).
  void Place(uint64_t segments_end);
  // Takes the segments of all ranks' endpoints 0, and the rules by which they
  // were created. Called once these segments exist. From here on this rank's
  // threads may use rails (hostshm/rails.h).
  void Attach(const hostshm::Segments& segments,
              const hostshm::SegmentRules& rules);

  // Returns the endpoint of this index, or null if there is none.
  Endpoint* Find(EndpointIndex index) const {
    return all_[index].load(std::memory_order_acquire);
  }

  // Creates an endpoint of the next index, with a segment. Collective: one
  // thread of each rank calls it, in the same order on all ranks. During the
  // call no rank may wait for messages of another rank. Fails on all ranks if
  // it fails on one. The caller then registers the endpoint's handlers. When
  // all ranks have done so (Job::Barrier), messages to and from the endpoint
  // are legal.
  absl::StatusOr<Endpoint*> Make(const AttachRequest& request);

  // Returns the segments of endpoints of this index, indexed by rank, like
  // Runtime::peers and Runtime::segments.
  const hostshm::Segments& segments(EndpointIndex index) const {
    return *segments_[index].load(std::memory_order_acquire);
  }

  // The network::PartnerSource functions.
  std::unique_ptr<hostshm::HostLink> MakeLink(EndpointIndex own,
                                              EndpointIndex partner) override;
  am::Post Announce(Rank peer, EndpointIndex own,
                    EndpointIndex partner) override;

 private:
  void Publish(Endpoint& endpoint);
  absl::Status Expose(EndpointIndex index, const Segment& segment);
  absl::Status InitLink(hostshm::HostLink& link, EndpointIndex own,
                        EndpointIndex partner);
  void SetSegments(hostshm::HostLink& link, const hostshm::Segments& theirs,
                   const Segment& own) const;

  job::Job& job_;
  const hostshm::Rings& rings_;
  Endpoint& first_;
  hostshm::EndpointRings endpoint_rings_;
  hostshm::SegmentRules rules_;  // rules for the next segments
  am::Dispatchers dispatchers_;
  network::LinkTable links_;
  EndpointIndex next_ = 1;
  std::array<std::atomic<Endpoint*>, kMaxEndpoints> all_{};
  std::array<std::atomic<const hostshm::Segments*>, kMaxEndpoints> segments_{};
  // Declared before the endpoints, so that segments outlive them: the
  // endpoints' links reach the segments.
  std::array<std::unique_ptr<hostshm::Segments>, kMaxEndpoints> made_segments_;
  std::array<std::unique_ptr<Endpoint>, kMaxEndpoints> made_;
};

}  // namespace gasnet

#endif  // CORE_RUNTIME_ENDPOINTS_H_
