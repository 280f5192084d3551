// A conduit over a network, and its start: a core/conduit.h but for its name
// and the settings of its network.
//
//   class NetConduit : public network::ConduitOver<NetNetwork> {
//    public:
//     static constexpr std::string_view kName = "NET";
//     static Status Start(int* argc, char*** argv, std::string_view config) {
//       return StartOver(argc, argv, config, &OpenNetwork);
//     }
//   };
//
// Ranks of a host share rings and segments (of a supernode, where
// GASNET_SUPERNODE_MAXSIZE divides the host); the network is for all others,
// and is not opened where there are none. Each conduit's library has one
// instance.
#ifndef CORE_NETWORK_CONDUIT_OVER_H_
#define CORE_NETWORK_CONDUIT_OVER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/am/engine.h"
#include "core/conduit.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/segments.h"
#include "core/network/agreement.h"
#include "core/network/far_rma.h"
#include "core/network/link.h"
#include "core/network/network.h"
#include "core/segment.h"
#include "job/job.h"
#include "job/process_end.h"

namespace gasnet::network {

template <Network N>
class ConduitOver {
 public:
  using Engine = am::Engine<Link<N>>;

  static uintptr_t MaxLocalSegment() {
    return hostshm::LargestSegment(state_->job, state_->rings.end());
  }

  static absl::Status Attach(const AttachRequest& request) {
    State& s = *state_;
    const hostshm::SegmentRules rules = {.first_offset = s.rings.end(),
                                         .supernode_size = s.supernode_size};
    absl::Status mine = hostshm::MapSegments(s.job, request, rules, s.segments);
    typename N::Exposed exposed = {};
    if (mine.ok()) mine = Expose(s, exposed);
    const auto shared =
        hostshm::ShareSegments(s.job, request, mine, exposed, s.segments);
    if (!shared.ok()) return shared.status();
    // Ranks that have rings with each other map each other's segments.
    s.link.host().SetSegments(s.segments.peers, s.segments.by_rank,
                              /*apart=*/false);
    if (N* const network = s.link.network()) {
      network->Attach(s.segments.by_rank, *shared);
    }
    return absl::OkStatus();
  }

  static job::Job& job() { return state_->job; }
  static Engine& engine() { return *engine_; }
  static std::span<const MappedSegment> peers() {
    return state_->segments.peers;
  }
  static std::span<const Segment> segments() {
    return state_->segments.by_rank;
  }
  static uint32_t SupernodeSize() {
    return hostshm::MappedTogether(state_->supernode_size);
  }
  // Of the network, which may reach some of the others.
  static auto rma() requires NetworkHasRma<N> {
    return FarRma<N>(state_->link.network());
  }
  static void BeforeExit() {
    if (state_ != nullptr) state_->Drain(/*patient=*/false);
  }

 protected:
  // Null where all ranks share memory.
  static N* network() { return state_->link.network(); }

  // open: StatusOr<std::unique_ptr<N>>(job::Job&), collective; fails on all
  // ranks when it fails on one.
  template <class Open>
  static absl::Status StartOver(int* argc, char*** argv,
                                std::string_view config, Open open) {
    absl::StatusOr<job::Job*> job = job::Job::Start(argc, argv, config);
    if (!job.ok()) return job.status();
    auto* const s = new State(**job, hostshm::SupernodeLimit(**job));
    absl::Status status = s->rings.Start(s->link.host());
    if (status.ok() && s->rings.ranks().size() < s->job.size()) {
      status = StartNetwork(*s, open);
    }
    if (!status.ok()) return status;
    s->rings.Join(s->engine.whereabouts());
    engine_ = &s->engine;
    state_ = s;
    if (s->link.network() != nullptr) job::SetBeforeReturn(&BeforeReturn);
    return absl::OkStatus();
  }

 private:
  // All there is of the conduit in this process. Made by StartOver; lives until
  // the process ends, since other threads may use it to the last.
  struct State {
    State(job::Job& the_job, uint32_t the_supernode_size)
        : job(the_job),
          supernode_size(the_supernode_size),
          rings(the_job, the_supernode_size),
          engine(link) {}

    void Drain(bool patient) {
      if (N* const network = link.network()) network->Drain(patient);
    }

    job::Job& job;
    const uint32_t supernode_size;
    hostshm::Rings rings;
    Link<N> link;
    Engine engine;
    hostshm::Segments segments;
  };

  template <class Open>
  static absl::Status StartNetwork(State& s, Open open) {
    absl::StatusOr<std::unique_ptr<N>> network = open(s.job);
    if (!network.ok()) return network.status();
    const absl::Status started =
        s.link.Start(*std::move(network), s.engine.progress());
    const absl::StatusOr<Agreed> agreed =
        Agree(s.job, s.rings.ranks(), started, s.link.MaxMedium());
    if (!agreed.ok()) return agreed.status();
    s.link.SetMaxMedium(agreed->max_medium);
    s.link.SetCertain(agreed->one_namespace);
    s.link.SetAlone(s.rings.ranks().size() == 1);
    return absl::OkStatus();
  }

  static absl::Status Expose(State& s, typename N::Exposed& exposed) {
    N* const network = s.link.network();
    if (network == nullptr) return absl::OkStatus();
    absl::StatusOr<typename N::Exposed> made =
        network->Expose(s.segments.by_rank[s.job.rank()]);
    if (made.ok()) exposed = *made;
    return made.status();
  }

  // A program may end by returning from main as well, and the job goes on.
  static void BeforeReturn(bool patient) {
    state_->job.Leave();
    state_->Drain(patient);
  }

  static inline State* state_ = nullptr;
  // The part that the message path needs.
  static inline Engine* engine_ = nullptr;
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_CONDUIT_OVER_H_
