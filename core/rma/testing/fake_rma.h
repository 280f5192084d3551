// Remote memory access with the behaviour of a difficult network:
//
// - Transfers progress in a random order, in bulk and late.
// - Posts are refused or accepted in part.
// - Only this rank's segment is registered. Other sources and destinations
//   use few and small bounce buffers.
// - A source is read late.
// - The two halves of a put's destination are written at different times. A
//   get's destination first holds garbage.
// - Some short puts and some atomics are complete as soon as they are posted.
// - An atomic happens late, and its result arrives still later.
//
// The class copies the data itself, through this process's mappings of the
// ranks' segments. In unit tests the segments are memory of one process. In the
// fake conduit they are memory that the ranks of a job share. Delays are
// counted in polls. Random choices come from a seed.
#ifndef CORE_RMA_TESTING_FAKE_RMA_H_
#define CORE_RMA_TESTING_FAKE_RMA_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/am/message.h"
#include "core/rma/atomic.h"
#include "core/rma/completion.h"
#include "core/rma/rma.h"
#include "core/segment.h"
#include "core/thread/real_lock.h"

namespace gasnet::rma::testing {

struct FakeRmaOptions {
  uint64_t seed = 1;
  unsigned descriptors = 32;
  unsigned refuse = 5;  // refuses one in `refuse` posts; 0: refuses none
  // one in `done` short puts and atomics is complete when posted; 0: none
  unsigned done = 4;
  // a post copies up to this many bytes, even if the memory is registered
  size_t inject_bytes = 64;
  size_t most_bytes = 16384;   // maximum number of bytes of a transfer
  unsigned bounces = 4;        // number of bounce buffers
  size_t bounce_bytes = 4096;  // size of a bounce buffer
  // maximum number of polls until a transfer's next step
  unsigned late = 30;
  unsigned in_bulk = 8;  // one poll in this many reports completions
  // number of the transfer that fails; 0: no transfer fails
  uint64_t fail = 0;
};

class FakeRma final : public Rma {
 public:
  using Options = FakeRmaOptions;

  explicit FakeRma(const Options& options);

  // Sets this process's mappings of the segments, indexed by rank. The mappings
  // must outlive this object. Called before the first post.
  void SetSegments(Rank me, std::span<const MappedSegment> peers);

  // Rma functions.
  Posted Post(const Put& put) override;
  Posted Post(const Get& get) override;
  bool Reaches(Rank peer) const override;
  const Thresholds& thresholds() const override { return thresholds_; }
  bool HasAtomics(Rank peer) const override { return Reaches(peer); }
  PostState PostAtomic(const Atomic& atomic) override;

  // Advances transfers. Returns the number of completions and read sources that
  // it reports. Returns 0 if Poll() already runs, in another thread or in code
  // that this signal handler has interrupted.
  unsigned Poll();
  // Returns true if a poll may find something, or a refused post may now
  // succeed. In both cases no thread may sleep.
  bool NeedsPolls() const;

  // The interface for tests.

  void Seed(uint64_t seed);
  struct Counts {
    uint64_t posted = 0;
    uint64_t refused = 0;
    uint64_t bounced = 0;
    uint64_t injected = 0;
    uint64_t cut = 0;   // posts accepted in part
    uint64_t done = 0;  // transfers completed by their post
  };
  Counts counts() const;

 private:
  enum class Step : uint8_t {
    kIdle,
    kPerform,  // of an atomic
    kRead,
    kWriteFirst,
    kWriteRest,
    kComplete
  };
  struct Descriptor {
    Step step = Step::kIdle;
    TransferKind kind = TransferKind::kPut;
    bool bounced = false;
    bool fails = false;
    Rank peer = 0;
    unsigned due = 0;  // maximum number of polls until the next step
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    size_t nbytes = 0;
    Completion completion;
    PendingCount* sources = nullptr;
    std::vector<std::byte> staging;
    Atomic atomic;
    uint64_t old = 0;  // the word before the atomic
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
  Posted Start(Descriptor& descriptor, PendingCount* complete, size_t offered);
  size_t PartOf(size_t nbytes, size_t most);
  void Advance(Descriptor& descriptor);
  bool Moves(Descriptor& descriptor);
  void Read(Descriptor& descriptor);
  // Stores the result of an atomic.
  static void StoreResult(const Atomic& atomic, uint64_t old);
  [[noreturn]] void Fail(const Descriptor& descriptor) const;
  unsigned Below(unsigned n);

  const Options options_;
  const Thresholds thresholds_;
  mutable thread::RealLock lock_;  // guards the fields below
  std::mt19937_64 random_;
  Rank me_ = 0;
  std::span<const MappedSegment> peers_;
  std::vector<Descriptor> descriptors_;
  // The order in which a poll advances transfers. A member, so that polls
  // allocate no memory.
  std::vector<size_t> order_;
  unsigned under_way_ = 0;
  unsigned bounces_used_ = 0;
  unsigned ended_ = 0;  // completions and read sources of this poll
  // true if a post was refused after the last accepted one
  bool refused_ = false;
  Counts counts_;
};

}  // namespace gasnet::rma::testing

#endif  // CORE_RMA_TESTING_FAKE_RMA_H_
