#include "core/runtime/endpoints.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "core/observe/seam.h"
#include "core/runtime/runtime.h"
#include "job/shared_failure.h"

namespace gasnet {
namespace {

// Opens a partner: an endpoint that has announced itself. Checks its index,
// which comes from another process.
void OnPartner(void* token, int32_t partner) {
  const auto& from = *static_cast<const am::Token*>(token);
  Endpoint& to = *runtime->endpoints().Find(from.to->index());
  const bool exists =
      partner >= 0 && partner < static_cast<int32_t>(kMaxEndpoints) &&
      runtime->endpoints().Find(static_cast<EndpointIndex>(partner)) != nullptr;
  if (!exists || partner == to.index()) {
    Fatal(
        "rank %u announces its endpoint %d to endpoint %u of this rank; its "
        "memory is corrupted",
        from.source, partner, to.index());
  }
  to.link().OpenPartner(static_cast<EndpointIndex>(partner));
}

}  // namespace

Endpoints::Endpoints(job::Job& job, const hostshm::Rings& rings,
                     Endpoint& first)
    : job_(job), rings_(rings), first_(first), endpoint_rings_(job, rings) {
  Publish(first);
}

void Endpoints::Open() { first_.link().InitPartners(job_.size(), *this); }

void Endpoints::Place(uint64_t segments_end) {
  endpoint_rings_.Begin(segments_end);
  first_.link().host().AllowPeersRails(endpoint_rings_);
}

void Endpoints::Attach(const hostshm::Segments& segments,
                       const hostshm::SegmentRules& rules) {
  segments_[0].store(&segments, std::memory_order_release);
  if (endpoint_rings_.MayHaveRails()) {
    first_.link().host().AllowRails(
        hostshm::RailsToUse(job_.host_cpus(), job_.host_size()));
  }
  rules_ = rules;
  rules_.aligned = false;
  rules_.first_offset = endpoint_rings_.end();
}

// Makes the endpoint visible to incoming messages.
void Endpoints::Publish(Endpoint& endpoint) {
  all_[endpoint.index()].store(&endpoint, std::memory_order_release);
  endpoint.engine().handlers().RegisterInternal(kPartnerRequest,
                                                am::Lane::kRequest, &OnPartner);
  endpoint.engine().dispatcher().Join(dispatchers_, endpoint.index());
  links_.Add(endpoint.link());
  if (links_.count() > 1) {
    endpoint.link().SetSiblings(links_);
    first_.link().SetSiblings(links_);
  }
}

absl::StatusOr<Endpoint*> Endpoints::Make(const AttachRequest& request) {
  if (next_ == kMaxEndpoints) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a rank has at most ", kMaxEndpoints, " endpoints"));
  }
  const EndpointIndex index = next_;
  auto endpoint = std::make_unique<Endpoint>(index, first_.engine().progress());
  auto segments = std::make_unique<hostshm::Segments>();
  absl::Status mine = InitLink(endpoint->link().host(), index, index);
  const absl::Status mapped =
      hostshm::MapSegments(job_, request, rules_, *segments);
  if (mine.ok()) mine = mapped;
  // Creates the rings of both directions now, so that neither end lacks memory
  // for them later.
  if (mine.ok()) mine = endpoint_rings_.LinkMemory(index, 0).status();
  if (mine.ok()) mine = Expose(index, segments->by_rank[job_.rank()]);
  const auto shared =
      hostshm::ShareSegments(job_, request, mine, NothingExposed(), *segments);
  if (!shared.ok()) {
    // The segment is about to be unmapped, so messages may no longer be written
    // to it.
    static_cast<void>(Expose(index, Segment{}));
    return shared.status();
  }
  rules_.first_offset = segments->end;

  const Segment& segment = segments->by_rank[job_.rank()];
  SetSegments(endpoint->link().host(), *segments, segment);
  segments_[index].store(segments.get(), std::memory_order_release);
  made_segments_[index] = std::move(segments);

  endpoint->link().StartBeside(first_.link(), index);
  endpoint->link().InitPartners(job_.size(), *this);
  endpoint->engine().SetSelf(job_.rank(), segment);
  endpoint->engine().waits().TakeFrom(first_.engine().waits());
  Publish(*endpoint);
  ++next_;
  made_[index] = std::move(endpoint);
  return made_[index].get();
}

absl::Status Endpoints::Expose(EndpointIndex index, const Segment& segment) {
  network::Network* const network = first_.link().network();
  if (network == nullptr) return absl::OkStatus();
  return network->Expose(index, segment).status();
}

absl::Status Endpoints::InitLink(hostshm::HostLink& link, EndpointIndex own,
                                 EndpointIndex partner) {
  const absl::StatusOr<hostshm::HostMemory> memory =
      endpoint_rings_.LinkMemory(own, partner);
  if (!memory.ok()) return memory.status();
  link.Init(*memory, rings_.layout(), rings_.my_index(), rings_.ranks(),
            job_.size());
  link.SetAcross(static_cast<EndpointIndex>(own ^ partner));
  return absl::OkStatus();
}

void Endpoints::SetSegments(hostshm::HostLink& link,
                            const hostshm::Segments& theirs,
                            const Segment& own) const {
  link.SetSegments(theirs.peers, theirs.by_rank,
                   /*apart=*/rules_.supernode_size < rings_.ranks().size());
  link.SetOwnSegment(own);
}

std::unique_ptr<hostshm::HostLink> Endpoints::MakeLink(EndpointIndex own,
                                                       EndpointIndex partner) {
  auto link = std::make_unique<hostshm::HostLink>();
  const absl::Status made = InitLink(*link, own, partner);
  if (!made.ok()) Fatal("%s", std::string(made.message()).c_str());
  SetSegments(*link, segments(partner), segments(own).by_rank[job_.rank()]);
  return link;
}

am::Post Endpoints::Announce(Rank peer, EndpointIndex own,
                             EndpointIndex partner) {
  const int32_t args[] = {own};
  const am::Post sent = first_.link().Send(peer, am::Lane::kRequest,
                                           {.category = am::Category::kShort,
                                            .handler = kPartnerRequest,
                                            .num_args = 1,
                                            .across = partner,
                                            .args = args});
  if (sent == am::Post::kDone) observe::NoteSent(kPartnerRequest, peer, 0);
  return sent;
}

}  // namespace gasnet
