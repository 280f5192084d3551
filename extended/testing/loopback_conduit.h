// A job of one rank over a LoopbackLink, with nothing mapped, for tests of the
// extended API over active messages.
#ifndef EXTENDED_TESTING_LOOPBACK_CONDUIT_H_
#define EXTENDED_TESTING_LOOPBACK_CONDUIT_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "core/am/engine.h"
#include "core/conduit.h"
#include "extended/testing/loopback_link.h"

namespace gasnet::extended::testing {

class LoopbackConduit {
 public:
  using Engine = am::Engine<LoopbackLink>;

  static constexpr const char* kName = "LOOPBACK";
  static constexpr size_t kSegmentSize = size_t{1} << 20;

  static Status Start(int* argc, char*** argv, std::string_view config);
  static uintptr_t MaxLocalSegment() { return kSegmentSize; }
  static Status Attach(const AttachRequest& request);

  static job::Job& job();
  static Engine& engine();
  static std::span<const MappedSegment> peers();
  static std::span<const Segment> segments();

  // For the tests.
  static LoopbackLink& link() { return engine().link(); }
  static std::byte* segment();
};

static_assert(Conduit<LoopbackConduit>);

// Starts and attaches once a process, with the extended API's handlers.
void AttachLoopback();

}  // namespace gasnet::extended::testing

#endif  // EXTENDED_TESTING_LOOPBACK_CONDUIT_H_
