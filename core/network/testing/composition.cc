// A rank of a job whose network prints a line for each call. argv[1] names the
// scenario:
//
// - runs
// - exits
// - start_fails, expose_fails: the network of rank 1 fails
// - open_fails: every rank's network fails
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/network/testing/scripted_network.h"
#include "core/runtime/runtime.h"
#include "job/job.h"
#include "job/process_end.h"

namespace gasnet::network {
namespace {

const char* scenario = "runs";

class ToldNetwork final : public ScriptedNetwork {
 public:
  explicit ToldNetwork(job::Job& job) : job_(job) {}

  absl::Status Start() override {
    if (std::strcmp(scenario, "start_fails") == 0 && job_.rank() == 1) {
      return absl::UnavailableError("its cable is cut");
    }
    return absl::OkStatus();
  }
  // The limit differs on each rank.
  size_t MaxMedium() const override { return 700 - job_.rank(); }
  absl::StatusOr<Exposed> Expose(EndpointIndex,
                                 const Segment& segment) override {
    if (std::strcmp(scenario, "expose_fails") == 0 && job_.rank() == 1) {
      return absl::UnavailableError("its memory is full");
    }
    std::printf("exposed %zu bytes\n", segment.size);
    return Exposed::Of(job_.rank());
  }
  void Attach(std::span<const Segment> by_rank,
              std::span<const Exposed> exposed) override {
    size_t all = 0;
    for (Rank rank = 0; rank < by_rank.size(); ++rank) {
      all += by_rank[rank].size > 0 && exposed[rank].As<Rank>() == rank;
    }
    std::printf("attached %zu segments\n", all);
  }
  void Drain(bool patient) override {
    std::printf("drained%s\n", patient ? " patiently" : "");
  }

 private:
  job::Job& job_;
};

absl::StatusOr<std::unique_ptr<Network>> Open(job::Job& job) {
  if (std::strcmp(scenario, "open_fails") == 0) {
    return absl::UnavailableError("there is no cable");
  }
  std::printf("opened\n");
  return std::make_unique<ToldNetwork>(job);
}

constexpr Conduit kConduit = {.name = "told", .open = &Open};

// Ends without destructors: the runtime lives as long as its process.
[[noreturn]] void EndAtOnce(int code) {
  std::fflush(stdout);
  _exit(code);
}

int Run(int argc, char** argv) {
  scenario = argv[1];
  auto started = Runtime::Start(kConduit, &argc, &argv, "told");
  if (!started.ok()) {
    const std::string_view message = started.status().message();
    std::printf("not started: %.*s\n", static_cast<int>(message.size()),
                message.data());
    EndAtOnce(3);
  }
  runtime = started->release();
  std::printf("supernode %u, mediums of %zu\n", runtime->SupernodeSize(),
              runtime->engine().MaxMedium());
  const uint32_t steps = runtime->job().collective_steps();
  const absl::Status attached = runtime->Attach({.segment_size = 65536});
  if (!attached.ok()) EndAtOnce(4);
  std::printf("took %u steps\n", runtime->job().collective_steps() - steps);
  size_t mapped = 0;
  for (const MappedSegment& peer : runtime->peers()) {
    mapped += peer.size > 0 ? 1 : 0;
  }
  std::printf("mapped %zu of %zu\n", mapped, runtime->segments().size());
  if (std::strcmp(scenario, "exits") == 0) {
    runtime->Drain(/*patient=*/false);
    EndAtOnce(0);
  }
  return 0;
}

}  // namespace
}  // namespace gasnet::network

int main(int argc, char** argv) { return gasnet::network::Run(argc, argv); }
