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

// The rank reaches itself so: an address is what it is.
void UseRma(rma::testing::FakeRma& rma) {
  const Segment& mine = TheWorld().segments.front();
  static const MappedSegment mapped[] = {
      {mine.base, mine.size, reinterpret_cast<unsigned char*>(mine.base)}};
  rma.SetSegments(0, mapped);
  TheWorld().link.SetRma(&rma);
}

}  // namespace

absl::Status LoopbackConduit::Start(int* argc, char*** argv,
                                    std::string_view config) {
  auto job = job::Job::Start(argc, argv, config);
  if (!job.ok()) return job.status();
  TheWorld().job = *job;
  return absl::OkStatus();
}

absl::Status LoopbackConduit::Attach(const AttachRequest& request) {
  World& world = TheWorld();
  world.memory.resize(request.segment_size);
  world.segments = {
      {reinterpret_cast<uintptr_t>(world.memory.data()), request.segment_size}};
  world.peers = {MappedSegment{}};
  return absl::OkStatus();
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

rma::testing::FakeRma& NativeLoopbackConduit::rma() {
  // Of many short ones, so that tests may have many under way.
  static auto* const rma = new rma::testing::FakeRma({.descriptors = 1100,
                                                      .most_bytes = 2048,
                                                      .bounces = 32,
                                                      .bounce_bytes = 1024});
  return *rma;
}

template <class C>
void AttachLoopback() {
  static const bool attached = [] {
    int argc = 0;
    char** argv = nullptr;
    if (!C::Start(&argc, &argv, "loopback").ok())
      Fatal("the loopback job does not start");
    Extended<C>::RegisterHandlers();
    if (!C::Attach({.segment_size = C::kSegmentSize}).ok())
      Fatal("the loopback job does not attach");
    if constexpr (ConduitHasRma<C>) UseRma(C::rma());
    Extended<C>::Start();
    EnterPhase(Phase::kAttached);
    return true;
  }();
  if (!attached) Fatal("unreachable");
}

template void AttachLoopback<LoopbackConduit>();
template void AttachLoopback<NativeLoopbackConduit>();

}  // namespace gasnet::extended::testing
