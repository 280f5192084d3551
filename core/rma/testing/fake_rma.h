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
// One engine for two uses. It copies the data itself, through the mappings of
// the ranks' segments in this process: memory of one process in unit tests,
// shared memory among the ranks of a job in the fake conduit. Its clock counts
// polls. Schedules come from a seed.
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
  unsigned refuse = 5;  // refuses one post in this many; 0: none
  unsigned done = 4;  // one injected put in this many is done at once; 0: none
  size_t inject_bytes = 64;    // bytes that a post copies, registered or not
  size_t most_bytes = 16384;   // of one transfer
  unsigned bounces = 4;        // buffers for unregistered memory
  size_t bounce_bytes = 4096;  // the size of each
  unsigned late = 30;          // the maximum polls until a transfer's step
  unsigned in_bulk = 8;        // one poll in this many reports completions
  uint64_t fail = 0;           // the number of the transfer that fails; 0: none
};

class FakeRma final : public Rma {
 public:
  using Options = FakeRmaOptions;

  explicit FakeRma(const Options& options);

  // Sets the mappings of the ranks' segments, by rank, which outlive this.
  // Called before the first post.
  void SetSegments(Rank me, std::span<const MappedSegment> peers);

  // Rma.
  Posted Post(const Put& put) override;
  Posted Post(const Get& get) override;
  bool Reaches(Rank peer) const override;
  const Thresholds& thresholds() const override { return thresholds_; }

  // Ends transfers that are over. Returns the number of completions and
  // sources. Returns 0 if another thread is inside, or a call that a signal
  // handler has interrupted.
  unsigned Poll();
  // Returns true if polls may find something, or a refused post may succeed. No
  // thread may then sleep.
  bool NeedsPolls() const;

  // The interface for tests.

  void Seed(uint64_t seed);
  struct Counts {
    uint64_t posted = 0;
    uint64_t refused = 0;
    uint64_t bounced = 0;
    uint64_t injected = 0;
    uint64_t cut = 0;   // accepted in part
    uint64_t done = 0;  // done when they were posted
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
    unsigned due = 0;  // the maximum polls until the next step
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    size_t nbytes = 0;
    PendingCount* complete = nullptr;
    PendingCount* sources = nullptr;
    std::vector<std::byte> staging;
  };

  std::byte* Remote(Rank peer, const void* address) const;
  bool IsRegistered(const void* address, size_t nbytes) const;
  // Returns true once in `so_many` calls; never if that is 0.
  bool Hits(unsigned so_many) { return so_many > 0 && Below(so_many) == 0; }
  Descriptor* Idle();
  Posted Refuse();
  // Returns true if the transfer needs a bounce buffer. HasRoom: returns true
  // if one is free.
  bool Bounces(const void* local, size_t nbytes) const {
    return nbytes > options_.inject_bytes && !IsRegistered(local, nbytes);
  }
  bool HasRoom(bool bounced) const {
    return !bounced || bounces_used_ < options_.bounces;
  }
  size_t MostOf(bool bounced) const {
    return bounced ? options_.bounce_bytes : options_.most_bytes;
  }
  // Starts a new transfer.
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
  // The order of the transfers' steps. A member, so that polls allocate
  // nothing.
  std::vector<size_t> order_;
  unsigned under_way_ = 0;
  unsigned bounces_used_ = 0;
  unsigned ended_ = 0;    // in this poll
  bool refused_ = false;  // a post since the last accepted one
  Counts counts_;
};

}  // namespace gasnet::rma::testing

#endif  // CORE_RMA_TESTING_FAKE_RMA_H_
