// A libfabric in one process, behind the table of functions of library.h: any
// number of endpoints send each other messages, and write and read each other's
// memory, as badly as the interface permits what was granted.
//
// Its time are the reads of completion queues. A read of any of them moves what
// is under way by a step, in an order and with delays that come from a seed: a
// source is read late; a message arrives; a half of a write is in place, then
// the other; a completion is told. Contexts are scribbled on meanwhile. Misuse
// that a provider would have to refuse, or that would go wrong in silence
// (memory that is not registered, a queue that overruns), ends the test or is
// counted.
//
// One fabric at a time; not thread-safe. It owns what its endpoints have of it,
// and so outlives them.
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

// Descriptors to wait for: none; the queue has one and does not tell it; one.
enum class FakeWait : uint8_t { kNone, kHidden, kDescriptor };

struct FakeOptions {
  uint64_t seed = 1;
  unsigned late = 3;   // a step waits for so many reads at most
  unsigned again = 0;  // one post in so many answers -FI_EAGAIN; 0: none
  // Granted: FI_ORDER_SAS, FI_ORDER_SAW, FI_ORDER_RMA_RAW. Others are not kept.
  uint64_t order = 0;
  bool multi_receive = true;
  bool fence = false;
  // Of a buffer for many messages: its release is told in a completion of its
  // own, without data; messages go into any of those posted, not the first;
  // they begin anywhere.
  bool release_alone = false;
  bool in_turn = false;
  bool misaligned = false;
  int mr_mode = 0;
  size_t key_bytes = 8;
  size_t inject_bytes = 64;
  // A message that was injected and has failed is told of by no error.
  bool silent_injects = false;
  bool managed = true;  // it says that it manages resources
  size_t most_bytes = size_t{1} << 20;
  size_t most_posted = 256;
  size_t raw_bytes = size_t{1} << 20;  // of FI_ORDER_RMA_RAW
  FakeWait wait = FakeWait::kNone;
  std::string provider = "fake";
  std::string fails = "";  // this function fails, such as "fi_av_open"
  Wishes wishes = {};      // of those who open endpoints
};

// The operations that may fail.
enum class FakeKind : uint8_t { kSend, kWrite, kRead, kReceive };

class FakeFabric {
 public:
  explicit FakeFabric(const FakeOptions& options);
  ~FakeFabric();
  FakeFabric(const FakeFabric&) = delete;
  FakeFabric& operator=(const FakeFabric&) = delete;

  Library library() const;
  const Wishes& wishes() const;
  // Its offer.
  Info info() const;

  // A message from somebody who is no rank, to the endpoint of that name.
  void Intrude(const std::string& name, std::span<const std::byte> message);
  // Posts to that endpoint answer -FI_EAGAIN while it is blocked.
  void Block(const std::string& name, bool blocked);
  // The next operation of that kind has an error for its completion.
  void FailNext(FakeKind kind, int error);
  // The next post answers that error; 0: as usual.
  void RefusePosts(int error);

  struct Counts {
    uint64_t messages = 0;     // that have arrived
    uint64_t unexpected = 0;   // for which no buffer was posted
    uint64_t overtaken = 0;    // sends and writes, by later sends
    uint64_t overruns = 0;     // completions that found no room in their queue
    uint64_t again = 0;        // posts that were answered so
    uint64_t posts = 0;        // those that were taken
    uint64_t released = 0;     // buffers for many messages
    uint64_t injected = 0;     // writes and messages
    uint64_t late_writes = 0;  // in place after they were told
    size_t largest = 0;        // bytes of one operation
  };
  const Counts& counts() const;
  // Operations that are not over.
  size_t under_way() const;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace gasnet::ofi::testing

#endif  // CONDUITS_OFI_TESTING_FAKE_FABRIC_H_
