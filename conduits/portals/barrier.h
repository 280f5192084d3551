// GASNET_BARRIER=PORTAL: a dissemination barrier that Portals takes on its own,
// by triggered atomics, while ranks compute.
//
// ceil(log2 N) steps, as of extended/barrier_dissemination.h: at step i rank r
// sends what it knows to (r + 2^i) mod N. Votes are two numbers of which the
// greatest win (barrier_words.h), so what a rank knows is one place in memory
// that atomics of others go to, in whatever order, and that its own go out
// from.
//
// A step has a counter. It counts what arrives for the step, and that the step
// before is complete, so step i of the k-th use is complete at 2k:
//
//   notify        atomics of this rank's vote: to step 0 of rank + 1, and to
//                 its own step 0, for which that is the step before
//   step i at 2k  what is known by now, to step i + 1 of rank + 2^(i+1);
//                 then one for the counter of this rank's step i + 1
//   last at 2k    all votes are here
//
// Of two ranks there is one step, which nothing follows: each sends its vote to
// the other alone, and the step is complete at k.
//
// A phase's triggered operations are set up a phase earlier, by Notify, when it
// has sent what others wait for. Counts only rise.
//
// Phases take three such sets in turn. That of phase p is used again in p+3,
// and is cleared when p+1 is complete here: then all have begun p+1, so for all
// p is complete, so all that was sent in it has come, and nothing reads or
// writes this rank's set any more. Nobody begins p+3 before this rank has begun
// p+2. With two sets one would have to wait until what was sent has left.
//
// Notify, Done and Result are called by one thread at a time (extended/
// barriers.h); RingWhenDone by any other meanwhile.
#ifndef CONDUITS_PORTALS_BARRIER_H_
#define CONDUITS_PORTALS_BARRIER_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "conduits/portals/barrier_words.h"
#include "conduits/portals/bell.h"
#include "conduits/portals/interface.h"
#include "conduits/portals/memory.h"
#include "core/barrier_vote.h"
#include "core/rank.h"
#include "core/split_barrier.h"

namespace gasnet::portals {

class Barrier final : public SplitBarrier {
 public:
  const char* name() const override { return "PORTAL"; }

  // Whether an interface has counters, atomics and triggered operations enough
  // for so many ranks.
  static bool Fits(const ptl_ni_limits_t& limits, Rank size);

  // Two ranks at least. An error where Portals has no room after all.
  static absl::StatusOr<std::unique_ptr<Barrier>> Make(Interface& interface,
                                                       Rank me, Rank size);

  // Links the entries, which are awaited with others (Interface::AwaitLinks),
  // and sets the first phase up. Once ranks are known to the interface.
  absl::Status Start(Bell& bell);

  // SplitBarrier.
  void Notify(const BarrierVote& mine) override;
  bool Done() override;
  BarrierVote Result() override;

  // Has the bell ring when the phase that is open is complete; nothing where
  // none is. By the thread that waits for the bell.
  void RingWhenDone();

 private:
  static constexpr uint64_t kSets = 3;
  static constexpr uint64_t kNoPhase = 0;

  // The memory of a phase. Each word is one's alone to write: `known` Portals'
  // from the phase's beginning to its end.
  struct Set {
    alignas(64) BarrierWords known;
    alignas(64) BarrierWords mine;
  };

  Barrier(Interface& interface, Rank me, Rank size);

  absl::Status Allocate();
  Set& SetOf(uint64_t phase) const { return sets_[phase % kSets]; }
  ptl_handle_ct_t& CounterOf(uint64_t phase, uint32_t step) {
    return counters_[phase % kSets * steps_ + step];
  }
  // A step's counter when the step is complete.
  uint64_t CountOf(uint64_t phase) const {
    const uint64_t uses = (phase + kSets - 1) / kSets;
    return steps_ == 1 ? uses : 2 * uses;
  }
  uint64_t BitsOf(uint64_t phase, uint32_t step) const {
    return phase % kSets * steps_ + step;
  }
  Target Ahead(uint64_t phase, uint32_t step) const;
  void SendVote(uint64_t phase, Rank peer);
  uint64_t OffsetOf(const BarrierWords& words) const;
  void SetUp(uint64_t phase);

  Interface& interface_;
  const Rank me_;
  const Rank size_;
  const uint32_t steps_;
  Bell* bell_ = nullptr;
  Buffers memory_;
  Set* sets_ = nullptr;                    // kSets, in memory that peers map
  Window window_ = {};                     // over the sets
  std::vector<ptl_handle_ct_t> counters_;  // by set and step
  uint64_t phase_ = 0;                     // the first is 1
  // Sequentially consistent, with Bell's.
  std::atomic<uint64_t> open_{kNoPhase};
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_BARRIER_H_
