#include "extended/testing/loopback.h"

#include <sys/mman.h>

#include <array>
#include <memory>
#include <utility>

#include "base/log.h"
#include "core/hostshm/layout.h"
#include "core/phase.h"
#include "extended/extended.h"
#include "job/job.h"

namespace gasnet::extended::testing {
namespace {

constexpr Conduit kConduit = {.name = "loopback"};

constexpr Rank kRanks = 8;

LoopbackRuntime* loopback = nullptr;

job::Job& StartJob() {
  int argc = 0;
  char** argv = nullptr;
  auto job = job::Job::Start(&argc, &argv, "loopback");
  if (!job.ok()) Fatal("the loopback job does not start");
  return **job;
}

void AttachAll(rma::Rma* rma) {
  // Never destroyed: threads of a test may outlive main.
  loopback = new LoopbackRuntime(StartJob());
  runtime = loopback;
  Extended::RegisterHandlers();
  if (!runtime->Attach({.segment_size = Loopback::kSegmentSize}).ok())
    Fatal("the loopback job does not attach");
  if (rma != nullptr) loopback->UseRma(*rma);
  Extended::Start();
  EnterPhase(Phase::kAttached);
}

}  // namespace

// The link treats these ranks as remote: the job's only rank, and the ranks
// from which tests pretend to receive. The host has only the last rank, and the
// job does not have that rank.
LoopbackRuntime::LoopbackRuntime(job::Job& job) : Runtime(kConduit, job) {
  static constexpr std::array<Rank, 1> kAlone = {kRanks - 1};
  const hostshm::Layout layout(1);
  void* const memory = mmap(nullptr, layout.total(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) Fatal("no memory");
  first().link().host().Init(static_cast<unsigned char*>(memory), layout, 0,
                             kAlone, kRanks);
  auto network = std::make_unique<LoopbackNetwork>();
  network_ = network.get();
  if (!first().link().Start(std::move(network), engine().progress()).ok())
    Fatal("the loopback network does not start");
  first().link().SetAlone(true);
}

absl::Status LoopbackRuntime::Attach(const AttachRequest& request) {
  auto* const memory = new std::byte[request.segment_size]();
  segments_.by_rank = {
      {reinterpret_cast<uintptr_t>(memory), request.segment_size}};
  segments_.peers = {MappedSegment{}};
  engine().dispatcher().SetSegment(segments_.by_rank.front());
  static const std::array<MappedSegment, kRanks> no_peers = {};
  static const std::array<Segment, kRanks> no_segments = {};
  first().link().host().SetSegments(no_peers, no_segments, /*apart=*/false);
  return absl::OkStatus();
}

// Maps this rank's segment for the network, at its own addresses, so that the
// rank reaches itself.
void LoopbackRuntime::UseRma(rma::Rma& rma) {
  const Segment& mine = segments_.by_rank.front();
  static const MappedSegment mapped[] = {
      {mine.base, mine.size, reinterpret_cast<unsigned char*>(mine.base)}};
  Loopback::rma().SetSegments(0, mapped);
  network_->SetRma(&Loopback::rma());
  rma_ = &rma;
}

void Loopback::Attach() {
  [[maybe_unused]] static const bool once = (AttachAll(nullptr), true);
}
void Loopback::AttachNative(rma::Rma* rma) {
  [[maybe_unused]] static const bool once =
      (AttachAll(rma != nullptr ? rma : &Loopback::rma()), true);
}

LoopbackNetwork& Loopback::network() { return loopback->network(); }
std::byte* Loopback::segment() {
  return reinterpret_cast<std::byte*>(runtime->segments().front().base);
}

rma::testing::FakeRma& Loopback::rma() {
  // Has descriptors for many short transfers, since tests keep many in flight.
  static auto* const rma = new rma::testing::FakeRma({.descriptors = 1100,
                                                      .most_bytes = 2048,
                                                      .bounces = 32,
                                                      .bounce_bytes = 1024});
  return *rma;
}

}  // namespace gasnet::extended::testing
