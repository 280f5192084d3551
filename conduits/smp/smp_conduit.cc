#include "conduits/smp/smp_conduit.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/env.h"
#include "core/hostshm/asymmetric_fence.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/segments.h"
#include "core/job/host_memory.h"
#include "core/segment_limit.h"

namespace gasnet::smp {
namespace {

#if defined(GASNET_SEGMENT_EVERYTHING)
constexpr bool kEverything = true;
#else
constexpr bool kEverything = false;
#endif

#if defined(GASNET_REFERENCE)
constexpr bool kHideMemory = true;
#else
constexpr bool kHideMemory = false;
#endif

constexpr uint64_t kPage = hostshm::kPage;

// All there is of the conduit in this process. Made by Start; lives until the
// process ends, since other threads may use it to the last.
struct State {
  explicit State(job::Job& the_job)
      : job(the_job), layout(the_job.size()), engine(link) {}

  job::Job& job;
  const hostshm::Layout layout;
  unsigned char* base = nullptr;  // the host's shared memory
  hostshm::HostLink link;
  am::Engine<hostshm::HostLink> engine;
  hostshm::Segments segments;
#if !defined(GASNET_REFERENCE)
  std::optional<SmpConduit::Barrier> barrier;
#endif
};

State* state = nullptr;

absl::Status MapRings(State& s) {
  const size_t bytes = s.layout.total();
  const int fd = s.job.host_memory_fd();
  // Every rank does the same, so it does not matter who comes first.
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    return absl::ErrnoToStatus(errno, "sizing the shared memory of this host");
  }
  void* const got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (got == MAP_FAILED) {
    return absl::ErrnoToStatus(errno, "mapping the shared memory of this host");
  }
  s.base = static_cast<unsigned char*>(got);
  return absl::OkStatus();
}

// The whole address space of this process; nothing of the others.
void ShareEverything(State& s) {
  const uint32_t ranks = s.job.size();
  s.segments.by_rank.assign(ranks, Segment{0, UINTPTR_MAX});
  s.segments.peers.assign(ranks, MappedSegment{});
  s.segments.peers[s.job.rank()].size = UINTPTR_MAX;
}

// How many ranks map each other's segments.
uint32_t MappedTogether(const job::Job& job) {
  const int64_t limit = EnvInt("GASNET_SUPERNODE_MAXSIZE", 0, 0, UINT32_MAX);
  return limit == 0 ? job.size() : static_cast<uint32_t>(limit);
}

absl::Status AttachMapped(State& s, const AttachRequest& request) {
  const hostshm::SegmentRules rules = {.first_offset = s.layout.total(),
                                       .aligned = true,
                                       .supernode_size = MappedTogether(s.job)};
  return AttachSegments(s.job, request, rules, s.segments);
}

void HideMemory(State& s) {
  for (MappedSegment& peer : s.segments.peers) peer = {};
}

}  // namespace

absl::Status SmpConduit::Start(int* argc, char*** argv,
                               std::string_view config) {
  absl::StatusOr<job::Job*> job = job::Job::Start(argc, argv, config);
  if (!job.ok()) return job.status();
  if ((*job)->host_size() != (*job)->size()) {
    return absl::FailedPreconditionError(
        "the smp conduit runs on one host; this job has ranks on several");
  }
  hostshm::AsymmetricFence::Register();
  auto* const s = new State(**job);
  if (const absl::Status status = MapRings(*s); !status.ok()) return status;
  std::vector<Rank> ranks(s->job.size());
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  s->link.Init(s->base, s->layout, s->job.rank(), ranks, s->job.size());
#if !defined(GASNET_REFERENCE)
  barrier_ = &s->barrier.emplace(s->base, s->layout, s->job.rank(), s->link);
#endif
  engine_ = &s->engine;
  state = s;
  return absl::OkStatus();
}

uintptr_t SmpConduit::MaxLocalSegment() {
  if (kEverything) return UINTPTR_MAX;
  const job::Job& job = state->job;
  const uint64_t free_bytes = job::AvailableHostMemory(job.host_memory_fd());
  // Message rings come out of the same memory once they are used. A host that
  // is too small for rings that are all full gets half of it for segments.
  const uint64_t rings =
      std::min<uint64_t>(state->layout.total(), free_bytes / 2);
  return SegmentLimitFromEnvironment().PerRank(free_bytes - rings,
                                               job.host_size(), kPage);
}

absl::Status SmpConduit::Attach(const AttachRequest& request) {
  State& s = *state;
  if (kEverything) {
    ShareEverything(s);
  } else {
    const absl::Status status = AttachMapped(s, request);
    if (!status.ok()) return status;
  }
  if (kHideMemory) HideMemory(s);
  s.link.SetSegments(s.segments.peers, s.segments.by_rank);
  return s.job.Barrier();
}

uint32_t SmpConduit::SupernodeSize() {
  return kEverything || kHideMemory ? 1 : MappedTogether(state->job);
}
job::Job& SmpConduit::job() { return state->job; }
std::span<const MappedSegment> SmpConduit::peers() {
  return state->segments.peers;
}
std::span<const Segment> SmpConduit::segments() {
  return state->segments.by_rank;
}

static_assert(Conduit<SmpConduit>);

}  // namespace gasnet::smp
