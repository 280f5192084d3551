// A conduit for tests: ranks of one host, whose messages go through shared
// memory, and whose transfers go by a network that is there in name only, and
// as difficult as core/rma/rma.h permits (core/rma/testing/fake_rma.h).
// Nobody's segment is mapped for the client but its own.
//
// It shows that the layers above the contract for native transfers keep it, and
// is the example for a conduit with such transfers (docs/PORTING.md).
// GASNET_FAKE_SEED chooses the schedule; with GASNET_FAKE_ORDERED=1 messages
// stay behind puts (fake_link.h).
#ifndef CONDUITS_FAKE_FAKE_CONDUIT_H_
#define CONDUITS_FAKE_FAKE_CONDUIT_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "conduits/fake/fake_link.h"
#include "core/am/engine.h"
#include "core/conduit.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::fake {

class FakeConduit {
 public:
  static constexpr std::string_view kName = "FAKE";

  static absl::Status Start(int* argc, char*** argv, std::string_view config);
  static uintptr_t MaxLocalSegment();
  static absl::Status Attach(const AttachRequest& request);

  static job::Job& job();
  static am::Engine<FakeLink>& engine();
  static std::span<const MappedSegment> peers();
  static std::span<const Segment> segments();
  static FakeLink::Rma rma();
  static void BeforeExit();
};

}  // namespace gasnet::fake

#endif  // CONDUITS_FAKE_FAKE_CONDUIT_H_
