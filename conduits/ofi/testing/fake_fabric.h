// A fake libfabric in one process, behind the table of functions of library.h.
// Any number of endpoints send each other messages, and write and read each
// other's memory. The fabric behaves as badly as the interface and the promises
// of the options permit.
//
// Its time advances with the reads of completion queues. Each read moves the
// operations under way by a step. The order and the delays are random, and
// depend on the seed. The steps of an operation are:
//
//   - its source is read, possibly late
//   - a message arrives
//   - one half of a write is in place, then the other half
//   - its completion is reported
//
// The fake overwrites the contexts of operations under way. It ends the test or
// counts misuse, for example memory that is not registered or a queue that
// overruns. A real provider would refuse such misuse or fail silently.
//
// Only one fabric exists at a time, and it is not thread-safe. It owns the
// parts of its endpoints, so it must outlive the endpoints.
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

// The file descriptor of a queue. The queue has no descriptor (kNone), has one
// that it does not report (kHidden), or reports one (kDescriptor).
enum class FakeWait : uint8_t { kNone, kHidden, kDescriptor };

struct FakeFabricOptions {
  uint64_t seed = 1;
  unsigned late = 3;   // longest delay of a step, in queue reads
  unsigned again = 0;  // 1 in this many posts: -FI_EAGAIN; 0: none
  // The orders that the fabric promises, of FI_ORDER_SAS, FI_ORDER_SAW and
  // FI_ORDER_RMA_RAW. It breaks all orders that it does not promise.
  uint64_t order = 0;
  bool multi_receive = true;
  bool fence = false;
  // Options of buffers that take several messages:
  //
  //   release_alone   the completion that reports a release has no data
  //   in_turn         messages go into any posted buffer, not always the first
  //   misaligned      messages begin at any offset
  bool release_alone = false;
  bool in_turn = false;
  bool misaligned = false;
  int mr_mode = 0;
  size_t key_bytes = 8;
  size_t inject_bytes = 64;
  // If true, injected messages that fail are not reported.
  bool silent_injects = false;
  bool managed = true;  // the provider says that it manages resources
  size_t most_bytes = size_t{1} << 20;
  size_t most_posted = 256;
  // largest write that FI_ORDER_RMA_RAW covers
  size_t raw_bytes = size_t{1} << 20;
  FakeWait wait = FakeWait::kNone;
  std::string provider = "fake";
  // name of the function that fails, such as "fi_av_open"
  std::string fails = "";
  Wishes wishes = {};  // for the ranks that open endpoints
};

// The kinds of operations. Each may be made to fail.
enum class FakeKind : uint8_t { kSend, kWrite, kRead, kReceive };

class FakeFabric {
 public:
  explicit FakeFabric(const FakeFabricOptions& options);
  ~FakeFabric();
  FakeFabric(const FakeFabric&) = delete;
  FakeFabric& operator=(const FakeFabric&) = delete;

  FabricLibrary library() const;
  const Wishes& wishes() const;
  // Returns the fi_info that the fabric offers to its users.
  Info info() const;

  // Sends a message to the endpoint of that name. The sender is not a rank of
  // the job.
  void Intrude(const std::string& name, std::span<const std::byte> message);
  // Blocks or unblocks an endpoint. Posts to a blocked endpoint return
  // -FI_EAGAIN.
  void Block(const std::string& name, bool blocked);
  // Makes the next operation of kind `kind` complete with `error`.
  void FailNext(FakeKind kind, int error);
  // Makes all further posts return `error`. If `error` is 0, posts succeed
  // again.
  void RefusePosts(int error);

  struct Counts {
    uint64_t messages = 0;     // messages that have arrived
    uint64_t unexpected = 0;   // messages for which no buffer was posted
    uint64_t overtaken = 0;    // sends and writes that a later send overtook
    uint64_t overruns = 0;     // completions that found no room in their queue
    uint64_t again = 0;        // posts that returned -FI_EAGAIN
    uint64_t posts = 0;        // posts that were accepted
    uint64_t released = 0;     // releases of buffers that take several messages
    uint64_t injected = 0;     // injected writes and messages
    uint64_t late_writes = 0;  // writes reported before they were in place
    size_t largest = 0;        // size of the largest operation
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
