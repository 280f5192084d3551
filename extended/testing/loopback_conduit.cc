#include "extended/testing/loopback_conduit.h"

#include <vector>

#include "base/log.h"
#include "core/phase.h"
#include "extended/extended.h"

namespace gasnet::extended::testing {
namespace {

struct World {
  job::Job* job = nullptr;
  LoopbackLink link;
  LoopbackConduit::Engine engine{link};
  std::vector<std::byte> memory;
  std::vector<MappedSegment> peers;
  std::vector<Segment> segments;
};

// Leaked: threads of a test may outlive main.
World& TheWorld() {
  static World* const world = new World;
  return *world;
}

}  // namespace

Status LoopbackConduit::Start(int* argc, char*** argv,
                              std::string_view config) {
  auto job = job::Job::Start(argc, argv, config);
  if (!job.ok()) return job.status();
  TheWorld().job = *job;
  return OkStatus();
}

Status LoopbackConduit::Attach(const AttachRequest& request) {
  World& world = TheWorld();
  world.memory.resize(request.segment_size);
  world.segments = {
      {reinterpret_cast<uintptr_t>(world.memory.data()), request.segment_size}};
  world.peers = {MappedSegment{}};
  return OkStatus();
}

job::Job& LoopbackConduit::job() { return *TheWorld().job; }
LoopbackConduit::Engine& LoopbackConduit::engine() { return TheWorld().engine; }
std::span<const MappedSegment> LoopbackConduit::peers() {
  return TheWorld().peers;
}
std::span<const Segment> LoopbackConduit::segments() {
  return TheWorld().segments;
}
std::byte* LoopbackConduit::segment() { return TheWorld().memory.data(); }

void AttachLoopback() {
  static const bool attached = [] {
    int argc = 0;
    char** argv = nullptr;
    if (!LoopbackConduit::Start(&argc, &argv, "loopback").ok())
      Fatal("the loopback job does not start");
    Extended<LoopbackConduit>::RegisterHandlers();
    const AttachRequest request = {.segment_size =
                                       LoopbackConduit::kSegmentSize};
    if (!LoopbackConduit::Attach(request).ok())
      Fatal("the loopback job does not attach");
    Extended<LoopbackConduit>::Start();
    EnterPhase(Phase::kAttached);
    return true;
  }();
  if (!attached) Fatal("unreachable");
}

}  // namespace gasnet::extended::testing
