// A fake libfabric in one process, behind the table of functions of library.h.
// Any number of endpoints send each other messages, and write and read each
// other's memory, as badly as the interface and the chosen promises permit.
//
// Its time advances with the reads of completion queues. Each read moves the
// operations under way by a step, in an order and with delays that come from a
// seed:
//
//   - a source is read late
//   - a message arrives
//   - one half of a write is in place, then the other
//   - a completion is reported
//
// Contexts are overwritten meanwhile. Misuse that a provider would have to
// refuse, or that would fail silently (memory that is not registered, a queue
// that overruns), ends the test or is counted.
//
// There is one fabric at a time, which is not thread-safe. It owns the parts of
// its endpoints, so it outlives them.
#ifndef CONDUITS_OFI_TESTING_FAKE_FABRIC_H_
#define CONDUITS_OFI_TESTING_FAKE_FABRIC_H_

#include <rdma/fabric.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "conduits/ofi/choice.h"
#include "conduits/ofi/library.h"

namespace gasnet::ofi::testing {

// The file descriptor of a queue: none; one that the queue does not report;
// one.
enum class FakeWait : uint8_t { kNone, kHidden, kDescriptor };

struct FakeFabricOptions {
  uint64_t seed = 1;
  unsigned late = 3;   // most reads of a queue that a step waits for
  unsigned again = 0;  // one post in this many answers -FI_EAGAIN; 0: none
  // The promised orders among FI_ORDER_SAS, FI_ORDER_SAW, FI_ORDER_RMA_RAW.
  // Other orders are not kept.
  uint64_t order = 0;
  bool multi_receive = true;
  bool fence = false;
  // Options of buffers for many messages:
  //
  //   release_alone   a release is reported in a completion of its own, without
  //                   data
  //   in_turn         messages go into any posted buffer, not the first
  //   misaligned      messages begin anywhere
  bool release_alone = false;
  bool in_turn = false;
  bool misaligned = false;
  int mr_mode = 0;
  size_t key_bytes = 8;
  size_t inject_bytes = 64;
  // Failed injected messages are not reported.
  bool silent_injects = false;
  bool managed = true;  // it claims to manage resources
  size_t most_bytes = size_t{1} << 20;
  size_t most_posted = 256;
  size_t raw_bytes = size_t{1} << 20;  // of FI_ORDER_RMA_RAW
  FakeWait wait = FakeWait::kNone;
  std::string provider = "fake";
  std::string fails = "";  // the function that fails, such as "fi_av_open"
  Wishes wishes = {};      // of the ranks that open endpoints
};

// The operations that may fail.
enum class FakeKind : uint8_t { kSend, kWrite, kRead, kReceive };

class FakeFabric {
 public:
  explicit FakeFabric(const FakeFabricOptions& options);
  ~FakeFabric();
  FakeFabric(const FakeFabric&) = delete;
  FakeFabric& operator=(const FakeFabric&) = delete;

  Library library() const;
  const Wishes& wishes() const;
  // Returns the fabric's offer.
  Info info() const;

  // Sends a message from a stranger, not from a rank, to the endpoint of that
  // name.
  void Intrude(const std::string& name, std::span<const std::byte> message);
  // Blocks or unblocks an endpoint: posts to a blocked one return -FI_EAGAIN.
  void Block(const std::string& name, bool blocked);
  // Makes the next operation of that kind complete with an error.
  void FailNext(FakeKind kind, int error);
  // Makes posts return that error from now on; 0 ends this.
  void RefusePosts(int error);

  struct Counts {
    uint64_t messages = 0;     // that have arrived
    uint64_t unexpected = 0;   // messages for which no buffer was posted
    uint64_t overtaken = 0;    // sends and writes, by later sends
    uint64_t overruns = 0;     // completions that found no room in their queue
    uint64_t again = 0;        // posts that returned -FI_EAGAIN
    uint64_t posts = 0;        // posts that were accepted
    uint64_t released = 0;     // buffers for many messages
    uint64_t injected = 0;     // writes and messages
    uint64_t late_writes = 0;  // in place after they were reported
    size_t largest = 0;        // bytes of one operation
  };
  const Counts& counts() const;
  // Returns the number of operations that have not completed.
  size_t under_way() const;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace gasnet::ofi::testing

#endif  // CONDUITS_OFI_TESTING_FAKE_FABRIC_H_
