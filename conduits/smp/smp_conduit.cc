#include "conduits/smp/smp_conduit.h"

#include <optional>

#include "absl/status/statusor.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/segments.h"
#include "job/shared_failure.h"

namespace gasnet::smp {
namespace {

// All there is of the conduit in this process. Made by Start; lives until the
// process ends, since other threads may use it to the last.
struct State {
  explicit State(job::Job& the_job)
      : job(the_job), rings(the_job, the_job.size()), engine(link) {}

  job::Job& job;
  hostshm::Rings rings;
  hostshm::HostLink link;
  am::Engine<hostshm::HostLink> engine;
  hostshm::Segments segments;
  std::optional<SmpConduit::Barrier> barrier;
};

State* state = nullptr;

}  // namespace

absl::Status SmpConduit::Start(int* argc, char*** argv,
                               std::string_view config) {
  absl::StatusOr<job::Job*> job = job::Job::Start(argc, argv, config);
  if (!job.ok()) return job.status();
  if ((*job)->host_size() != (*job)->size()) {
    return job::ReportOnce(
        **job, "gasnet_init",
        absl::FailedPreconditionError(
            "the smp conduit runs on one host; this job has ranks on several "
            "(the udp conduit runs there)"));
  }
  auto* const s = new State(**job);
  const absl::Status status = s->rings.Start(s->link);
  if (!status.ok()) return status;
  s->rings.Join(s->engine.whereabouts());
  barrier_ = &s->barrier.emplace(s->rings.base(), s->rings.layout(),
                                 s->rings.my_index(), s->link);
  engine_ = &s->engine;
  state = s;
  return absl::OkStatus();
}

uintptr_t SmpConduit::MaxLocalSegment() {
  return hostshm::LargestSegment(state->job, state->rings.end());
}

absl::Status SmpConduit::Attach(const AttachRequest& request) {
  State& s = *state;
  const hostshm::SegmentRules rules = {
      .first_offset = s.rings.end(),
      .aligned = true,
      .supernode_size = hostshm::SupernodeLimit(s.job)};
  const absl::Status mapped =
      hostshm::MapSegments(s.job, request, rules, s.segments);
  const auto shared = hostshm::ShareSegments(s.job, request, mapped,
                                             NothingExposed(), s.segments);
  if (!shared.ok()) return shared.status();
  s.link.SetSegments(s.segments.peers, s.segments.by_rank,
                     rules.supernode_size < s.job.size());
  return absl::OkStatus();
}

uint32_t SmpConduit::SupernodeSize() {
  return hostshm::MappedTogether(hostshm::SupernodeLimit(state->job));
}
job::Job& SmpConduit::job() { return state->job; }
std::span<const MappedSegment> SmpConduit::peers() {
  return state->segments.peers;
}
std::span<const Segment> SmpConduit::segments() {
  return state->segments.by_rank;
}

static_assert(Conduit<SmpConduit> && ConduitHasBarrier<SmpConduit> &&
              ConduitHasSupernodes<SmpConduit>);

}  // namespace gasnet::smp
