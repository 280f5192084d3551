#include "conduits/udp/udp_conduit.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "conduits/udp/last_words.h"
#include "conduits/udp/network.h"
#include "conduits/udp/settings.h"
#include "conduits/udp/spawn_function.h"
#include "core/hostshm/gather.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/segments.h"
#include "core/hostshm/shared_failure.h"
#include "core/job/process_end.h"

namespace gasnet::udp {
namespace {

// All there is of the conduit in this process. Made by Start; lives until the
// process ends, since other threads may use it to the last.
struct State {
  State(job::Job& the_job, uint32_t the_supernode_size)
      : job(the_job),
        supernode_size(the_supernode_size),
        rings(the_job, the_supernode_size),
        engine(link) {}

  job::Job& job;
  const uint32_t supernode_size;
  hostshm::Rings rings;
  UdpLink link;
  am::Engine<UdpLink> engine;
  hostshm::Segments segments;
};

State* state = nullptr;

// A program may end by returning from main as well, and the job goes on.
void BeforeReturn(bool patient) {
  state->job.Leave();
  patient ? state->link.DrainAll() : state->link.Drain();
}

Status StartNetwork(State& s) {
  const Settings settings = SettingsFromEnvironment();
  StatusOr<std::unique_ptr<Network>> network = Network::Open(s.job, settings);
  if (!network.ok()) return network.status();
  Status started =
      s.link.StartNetwork(*std::move(network), s.rings.ranks().size() > 1);
  if (!started.ok()) started = hostshm::Tell("gasnet_init", started);
  // What failed on one rank failed on all, who would wait for it: 0 says so.
  const std::vector<size_t> sizes =
      hostshm::Gather(s.job, started.ok() ? s.link.MaxMedium() : 0);
  if (!started.ok()) return started;
  const auto least = std::min_element(sizes.begin(), sizes.end());
  if (*least == 0) {
    return AbortedError(
        StrCat("rank ", least - sizes.begin(), " could not start its network"));
  }
  s.link.SetMaxMedium(*least);
  if (settings.statistics) SpeakAtEnd(*s.link.network());
  return OkStatus();
}

}  // namespace

Status UdpConduit::Start(int* argc, char*** argv, std::string_view config) {
  if (const Status obeyed = ObeySpawnFunction(argc, argv); !obeyed.ok()) {
    return obeyed;
  }
  StatusOr<job::Job*> job = job::Job::Start(argc, argv, config);
  if (!job.ok()) return job.status();
  auto* const s = new State(**job, hostshm::SupernodeLimit(**job));
  Status status = s->rings.Start(s->link.host());
  if (status.ok() && s->rings.ranks().size() < s->job.size()) {
    status = StartNetwork(*s);
  }
  if (!status.ok()) return status;
  s->rings.Join(s->engine.whereabouts());
  engine_ = &s->engine;
  state = s;
  if (s->link.network() != nullptr) job::SetBeforeReturn(&BeforeReturn);
  return OkStatus();
}

uintptr_t UdpConduit::MaxLocalSegment() {
  return hostshm::LargestSegment(state->job, state->rings.end());
}

Status UdpConduit::Attach(const AttachRequest& request) {
  State& s = *state;
  const hostshm::SegmentRules rules = {.first_offset = s.rings.end(),
                                       .supernode_size = s.supernode_size};
  const Status status =
      hostshm::AttachSegments(s.job, request, rules, s.segments);
  if (!status.ok()) return status;
  // Ranks that have rings with each other map each other's segments.
  s.link.host().SetSegments(s.segments.peers, s.segments.by_rank,
                            /*apart=*/false);
  if (Network* const network = s.link.network()) {
    network->endpoint().SetSegment(s.segments.by_rank[s.job.rank()]);
  }
  return s.job.Barrier();
}

uint32_t UdpConduit::SupernodeSize() {
  return hostshm::MappedTogether(state->supernode_size);
}
void UdpConduit::BeforeExit() {
  if (state != nullptr) state->link.Drain();
}
job::Job& UdpConduit::job() { return state->job; }
std::span<const MappedSegment> UdpConduit::peers() {
  return state->segments.peers;
}
std::span<const Segment> UdpConduit::segments() {
  return state->segments.by_rank;
}

static_assert(Conduit<UdpConduit> && ConduitHasSupernodes<UdpConduit> &&
              ConduitActsBeforeExit<UdpConduit>);

}  // namespace gasnet::udp
