// A conduit over a network that says what it is asked to do: one line for each
// call, of one rank. argv[1]: "runs", "exits", "start_fails", "expose_fails"
// (rank 1's network does) or "open_fails" (all do).
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/conduit.h"
#include "core/network/conduit_over.h"
#include "core/network/fake_network.h"
#include "job/job.h"
#include "job/process_end.h"

namespace gasnet::network {
namespace {

const char* scenario = "runs";

class ToldNetwork : public FakeNetwork {
 public:
  explicit ToldNetwork(job::Job& job) : job_(job) {}

  absl::Status Start() {
    if (std::strcmp(scenario, "start_fails") == 0 && job_.rank() == 1) {
      return absl::UnavailableError("its cable is cut");
    }
    return absl::OkStatus();
  }
  // Another limit on each rank.
  size_t MaxMedium() const { return 700 - job_.rank(); }
  using Exposed = Rank;
  absl::StatusOr<Exposed> Expose(const Segment& segment) {
    if (std::strcmp(scenario, "expose_fails") == 0 && job_.rank() == 1) {
      return absl::UnavailableError("its memory is full");
    }
    std::printf("exposed %zu bytes\n", segment.size);
    return job_.rank();
  }
  void Attach(std::span<const Segment> by_rank,
              std::span<const Exposed> exposed) {
    size_t all = 0;
    for (Rank rank = 0; rank < by_rank.size(); ++rank) {
      all += by_rank[rank].size > 0 && exposed[rank] == rank;
    }
    std::printf("attached %zu segments\n", all);
  }
  void Drain(bool patient) {
    std::printf("drained%s\n", patient ? " patiently" : "");
  }

 private:
  job::Job& job_;
};

absl::StatusOr<std::unique_ptr<ToldNetwork>> OpenNetwork(job::Job& job) {
  if (std::strcmp(scenario, "open_fails") == 0) {
    return absl::UnavailableError("there is no cable");
  }
  std::printf("opened\n");
  return std::make_unique<ToldNetwork>(job);
}

class ToldConduit : public ConduitOver<ToldNetwork> {
 public:
  static constexpr std::string_view kName = "TOLD";
  static absl::Status Start(int* argc, char*** argv, std::string_view config) {
    return StartOver(argc, argv, config, &OpenNetwork);
  }
};
static_assert(Conduit<ToldConduit> && ConduitActsBeforeExit<ToldConduit> &&
              ConduitHasSupernodes<ToldConduit> && !ConduitHasRma<ToldConduit>);

// The state of a conduit lives as long as its process.
[[noreturn]] void EndAtOnce(int code) {
  std::fflush(stdout);
  _exit(code);
}

int Run(int argc, char** argv) {
  scenario = argv[1];
  ToldConduit::BeforeExit();  // before it has started
  const absl::Status started = ToldConduit::Start(&argc, &argv, "told");
  if (!started.ok()) {
    std::printf("not started: %.*s\n",
                static_cast<int>(started.message().size()),
                started.message().data());
    EndAtOnce(3);
  }
  std::printf("supernode %u, mediums of %zu\n", ToldConduit::SupernodeSize(),
              ToldConduit::engine().MaxMedium());
  const uint32_t steps = ToldConduit::job().collective_steps();
  const absl::Status attached = ToldConduit::Attach({.segment_size = 65536});
  if (!attached.ok()) EndAtOnce(4);
  std::printf("took %u steps\n", ToldConduit::job().collective_steps() - steps);
  size_t mapped = 0;
  for (const MappedSegment& peer : ToldConduit::peers()) {
    mapped += peer.size > 0 ? 1 : 0;
  }
  std::printf("mapped %zu of %zu\n", mapped, ToldConduit::segments().size());
  if (std::strcmp(scenario, "exits") == 0) {
    ToldConduit::BeforeExit();
    EndAtOnce(0);
  }
  return 0;
}

}  // namespace
}  // namespace gasnet::network

int main(int argc, char** argv) { return gasnet::network::Run(argc, argv); }
