#include "conduits/fake/fake_conduit.h"

#include <vector>

#include "absl/status/statusor.h"
#include "base/env.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/segments.h"
#include "job/process_end.h"
#include "job/shared_failure.h"

namespace gasnet::fake {
namespace {

// Made by Start; lives until the process ends.
struct State {
  State(job::Job& the_job, uint64_t seed, uint64_t fail, bool ordered)
      : job(the_job),
        rings(the_job, the_job.size()),
        rma({.seed = seed, .fail = fail}),
        link(rma, ordered),
        engine(link) {}

  job::Job& job;
  hostshm::Rings rings;
  rma::testing::FakeRma rma;
  FakeLink link;
  am::Engine<FakeLink> engine;
  hostshm::Segments segments;            // as the network reaches them
  std::vector<MappedSegment> own_alone;  // as the client does
};

State* state = nullptr;

}  // namespace

absl::Status FakeConduit::Start(int* argc, char*** argv,
                                std::string_view config) {
  absl::StatusOr<job::Job*> job = job::Job::Start(argc, argv, config);
  if (!job.ok()) return job.status();
  if ((*job)->host_size() != (*job)->size()) {
    return job::ReportOnce(
        **job, "gasnet_init",
        absl::FailedPreconditionError("the fake conduit runs on one host"));
  }
  const uint64_t seed = EnvInt("GASNET_FAKE_SEED", 1, 0, INT64_MAX);
  state = new State(**job, seed * (*job)->size() + (*job)->rank(),
                    EnvInt("GASNET_FAKE_FAIL", 0, 0, INT64_MAX),
                    EnvBool("GASNET_FAKE_ORDERED", false));
  const absl::Status status = state->rings.Start(state->link.host());
  if (status.ok()) state->rings.Join(state->engine.whereabouts());
  job::SetBeforeReturn([](bool) { BeforeExit(); });
  return status;
}

uintptr_t FakeConduit::MaxLocalSegment() {
  return hostshm::LargestSegment(state->job, state->rings.end());
}

absl::Status FakeConduit::Attach(const AttachRequest& request) {
  State& s = *state;
  const hostshm::SegmentRules rules = {.first_offset = s.rings.end(),
                                       .supernode_size = s.job.size()};
  const absl::Status mapped =
      hostshm::MapSegments(s.job, request, rules, s.segments);
  const auto shared = hostshm::ShareSegments(s.job, request, mapped,
                                             NothingExposed(), s.segments);
  if (!shared.ok()) return shared.status();
  const Rank me = s.job.rank();
  s.own_alone.resize(s.job.size());
  s.own_alone[me] = s.segments.peers[me];
  // Where memory is hidden, the network has none to reach.
  s.rma.SetSegments(me, s.segments.peers);
  s.link.SetSegments(s.own_alone, s.segments.by_rank);
  return absl::OkStatus();
}

job::Job& FakeConduit::job() { return state->job; }
am::Engine<FakeLink>& FakeConduit::engine() { return state->engine; }
std::span<const MappedSegment> FakeConduit::peers() { return state->own_alone; }
std::span<const Segment> FakeConduit::segments() {
  return state->segments.by_rank;
}
FakeLink::Rma FakeConduit::rma() { return state->link.rma(); }
void FakeConduit::BeforeExit() {
  if (state != nullptr) state->link.Drain();
}

static_assert(Conduit<FakeConduit> && ConduitHasRma<FakeConduit> &&
              ConduitActsBeforeExit<FakeConduit>);

}  // namespace gasnet::fake
