// A job of one rank that reaches itself over a network (loopback_network.h),
// with nothing mapped. It is for tests of the extended API over active
// messages, and over a network's own transfers.
#ifndef EXTENDED_TESTING_LOOPBACK_H_
#define EXTENDED_TESTING_LOOPBACK_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "core/rma/testing/fake_rma.h"
#include "core/runtime/runtime.h"
#include "core/segment.h"
#include "extended/testing/loopback_network.h"

namespace gasnet::extended::testing {

class LoopbackRuntime : public Runtime {
 public:
  static constexpr size_t kSegmentSize = size_t{1} << 20;

  explicit LoopbackRuntime(job::Job& job);

  absl::Status Attach(const AttachRequest& request) override;
  uintptr_t MaxLocalSegment() const override { return kSegmentSize; }
  uint32_t SupernodeSize() const override { return 1; }

  // Makes the network perform transfers by itself: clients' transfers go to
  // `rma`. Called before the layers start.
  void UseRma(rma::Rma& rma);

  LoopbackNetwork& network() { return *network_; }

 private:
  LoopbackNetwork* network_;
};

// The job of the process.
class Loopback {
 public:
  static constexpr size_t kSegmentSize = LoopbackRuntime::kSegmentSize;

  // Starts and attaches the job, once per process, with the handlers of the
  // extended API.
  static void Attach();
  // Like Attach(), but the network performs transfers by itself. The posts go
  // to `rma`, which passes them on to rma(). If `rma` is null, they go directly
  // to rma().
  static void AttachNative(rma::Rma* rma = nullptr);

  static LoopbackNetwork& network();
  static Engine& engine() { return runtime->engine(); }
  static std::byte* segment();
  // Returns the fake network that performs transfers by itself.
  static rma::testing::FakeRma& rma();
};

// True if the test is compiled for native transfers. Each source file gets its
// own copy of this constant.
#if defined(LOOPBACK_NATIVE)
constexpr bool kNative = true;
#else
constexpr bool kNative = false;
#endif

// Attaches the job for which this test is compiled.
static inline void AttachTested() {
  kNative ? Loopback::AttachNative() : Loopback::Attach();
}

}  // namespace gasnet::extended::testing

#endif  // EXTENDED_TESTING_LOOPBACK_H_
