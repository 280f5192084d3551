// Remote memory access with the behaviour of a difficult network:
//
// - Transfers progress in a random order, in bulk and late.
// - Posts are refused or accepted in part.
// - Only the own segment is registered. Other sources and destinations use few
//   and small bounce buffers.
// - A source is read late.
// - The two halves of a destination are written at different times, after
//   garbage.
// - Now and then a short put is done when it is posted.
//
// One engine serves two uses. It copies the data itself, through the mappings
// of the ranks' segments in this process: in unit tests these are memory of one
// process, in the fake conduit shared memory among the ranks of a job. Its
// clock counts polls. Random choices come from a seed.
#ifndef CORE_RMA_TESTING_FAKE_RMA_H_
#define CORE_RMA_TESTING_FAKE_RMA_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/am/message.h"
#include "core/rma/rma.h"
#include "core/segment.h"
#include "core/thread/real_lock.h"

namespace gasnet::rma::testing {

struct FakeRmaOptions {
  uint64_t seed = 1;
  unsigned descriptors = 32;
  unsigned refuse = 5;  // refuses one post in this many; 0: refuses none
  // completes one injected put in this many at once; 0: none
  unsigned done = 4;
  // a post copies up to this many bytes, even if the memory is registered
  size_t inject_bytes = 64;
  size_t most_bytes = 16384;   // maximum bytes of one transfer
  unsigned bounces = 4;        // bounce buffers for unregistered memory
  size_t bounce_bytes = 4096;  // bytes of each bounce buffer
  // maximum number of polls until a transfer's next step
  unsigned late = 30;
  unsigned in_bulk = 8;  // reports completions in one poll of this many
  // number of the transfer that fails; 0: no transfer fails
  uint64_t fail = 0;
};

class FakeRma final : public Rma {
 public:
  using Options = FakeRmaOptions;

  explicit FakeRma(const Options& options);

  // Sets the mappings of the ranks' segments, by rank, which must outlive this
  // object. Called before the first post.
  void SetSegments(Rank me, std::span<const MappedSegment> peers);

  // Rma functions.
  Posted Post(const Put& put) override;
  Posted Post(const Get& get) override;
  bool Reaches(Rank peer) const override;
  const Thresholds& thresholds() const override { return thresholds_; }

  // Advances transfers. Returns the number of completions and sources that it
  // reports. Returns 0 if another thread is inside, or if this is a signal
  // handler that has interrupted such a call.
  unsigned Poll();
  // Returns true if polls may find something, or a refused post may succeed
  // now. In these cases no thread may sleep.
  bool NeedsPolls() const;

  // The interface for tests.

  void Seed(uint64_t seed);
  struct Counts {
    uint64_t posted = 0;
    uint64_t refused = 0;
    uint64_t bounced = 0;
    uint64_t injected = 0;
    uint64_t cut = 0;   // posts accepted in part
    uint64_t done = 0;  // posts done at once
  };
  Counts counts() const;

 private:
  enum class Step : uint8_t {
    kIdle,
    kRead,
    kWriteFirst,
    kWriteRest,
    kComplete
  };
  enum class Kind : uint8_t { kPut, kGet };
  struct Descriptor {
    Step step = Step::kIdle;
    Kind kind = Kind::kPut;
    bool bounced = false;
    bool fails = false;
    Rank peer = 0;
    unsigned due = 0;  // maximum number of polls until the next step
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    size_t nbytes = 0;
    PendingCount* complete = nullptr;
    PendingCount* sources = nullptr;
    std::vector<std::byte> staging;
  };

  std::byte* Remote(Rank peer, const void* address) const;
  bool IsRegistered(const void* address, size_t nbytes) const;
  // Returns true in one call out of `so_many`, at random. Returns false if
  // `so_many` is 0.
  bool Hits(unsigned so_many) { return so_many > 0 && Below(so_many) == 0; }
  Descriptor* Idle();
  Posted Refuse();
  // Returns true if the transfer needs a bounce buffer.
  bool Bounces(const void* local, size_t nbytes) const {
    return nbytes > options_.inject_bytes && !IsRegistered(local, nbytes);
  }
  bool HasRoom(bool bounced) const {
    return !bounced || bounces_used_ < options_.bounces;
  }
  size_t MostOf(bool bounced) const {
    return bounced ? options_.bounce_bytes : options_.most_bytes;
  }
  // Starts a new transfer of at most `offered` bytes.
  Posted Start(Descriptor& descriptor, size_t offered);
  size_t PartOf(size_t nbytes, size_t most);
  void Advance(Descriptor& descriptor);
  bool Moves(Descriptor& descriptor);
  void Read(Descriptor& descriptor);
  [[noreturn]] void Fail(const Descriptor& descriptor) const;
  unsigned Below(unsigned n);

  const Options options_;
  const Thresholds thresholds_;
  mutable thread::RealLock lock_;  // guards the fields below
  std::mt19937_64 random_;
  Rank me_ = 0;
  std::span<const MappedSegment> peers_;
  std::vector<Descriptor> descriptors_;
  // The order of the transfers' steps. A member, so that polls allocate no
  // memory.
  std::vector<size_t> order_;
  unsigned under_way_ = 0;
  unsigned bounces_used_ = 0;
  unsigned ended_ = 0;    // transfers ended in this poll
  bool refused_ = false;  // a post was refused since the last accepted post
  Counts counts_;
};

}  // namespace gasnet::rma::testing

#endif  // CORE_RMA_TESTING_FAKE_RMA_H_
