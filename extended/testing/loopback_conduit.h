// A job of one rank over a LoopbackLink, with nothing mapped, for tests of the
// extended API over active messages, and over a network's own transfers.
#ifndef EXTENDED_TESTING_LOOPBACK_CONDUIT_H_
#define EXTENDED_TESTING_LOOPBACK_CONDUIT_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "core/am/engine.h"
#include "core/conduit.h"
#include "core/rma/testing/fake_rma.h"
#include "extended/testing/loopback_link.h"

namespace gasnet::extended::testing {

class LoopbackConduit {
 public:
  using Engine = am::Engine<LoopbackLink>;

  static constexpr const char* kName = "LOOPBACK";
  static constexpr size_t kSegmentSize = size_t{1} << 20;

  static absl::Status Start(int* argc, char*** argv, std::string_view config);
  static uintptr_t MaxLocalSegment() { return kSegmentSize; }
  static absl::Status Attach(const AttachRequest& request);

  static job::Job& job();
  static Engine& engine();
  static std::span<const MappedSegment> peers();
  static std::span<const Segment> segments();

  // For the tests.
  static LoopbackLink& link() { return engine().link(); }
  static std::byte* segment();
};

static_assert(Conduit<LoopbackConduit>);

// The same whose network has puts and gets of its own.
class NativeLoopbackConduit : public LoopbackConduit {
 public:
  static rma::testing::FakeRma& rma();
};

static_assert(ConduitHasRma<NativeLoopbackConduit>);

// The one that a test is compiled for.
#if defined(LOOPBACK_NATIVE)
using TestedConduit = NativeLoopbackConduit;
#else
using TestedConduit = LoopbackConduit;
#endif

// Starts and attaches the job once a process, with the handlers of the extended
// API over the conduit, which is one of those above.
template <class C>
void AttachLoopback();

}  // namespace gasnet::extended::testing

#endif  // EXTENDED_TESTING_LOOPBACK_CONDUIT_H_
