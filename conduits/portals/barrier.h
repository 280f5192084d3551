// GASNET_BARRIER=PORTAL: a dissemination barrier. Portals completes it on its
// own, by triggered atomics, while ranks compute.
//
// There are ceil(log2 N) steps, as in extended/barrier_dissemination.h. In step
// i rank r sends the votes that it has merged to (r + 2^i) mod N. A vote is two
// numbers, and merging keeps the greatest of each (barrier_words.h). So one
// place in memory holds the merged votes of a rank. Atomics of other ranks
// write to this place, in any order, and atomics of this rank read from it.
//
// Each step has a counter. It counts the votes that arrive for the step, and
// the completion of the previous step. In the k-th use of a counter, its step i
// is complete when the counter reaches 2k:
//
//   notify        atomics of this rank's vote: to step 0 of rank + 1, and to
//                 its own step 0, where the vote counts as the previous step
//   step i at 2k  the votes merged so far, to step i + 1 of rank + 2^(i+1);
//                 then adds one to the counter of this rank's step i + 1
//   last at 2k    all votes are here
//
// Two ranks have only one step. Each sends its vote only to the other rank, and
// the step is complete at k.
//
// Notify() sets up the triggered operations of the next phase, after it has
// sent this rank's vote. Counts only rise.
//
// Phases use three sets of memory and counters in turn. Phase p+3 reuses the
// set of phase p. This rank clears the set when p+1 is complete here. That is
// safe:
//
// - At that time all ranks have begun p+1. So p is complete on all ranks, all
//   its messages have arrived, and no message accesses this rank's set any
//   more.
// - No rank begins p+3 before this rank has begun p+2.
//
// With only two sets, a rank would have to wait until its own messages have
// left.
//
// One thread at a time calls Notify(), Done() and Result()
// (extended/barriers.h). Any other thread may call RingWhenDone() at the same
// time.
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
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/memory.h"
#include "core/barrier_vote.h"
#include "core/rank.h"
#include "core/split_barrier.h"

namespace gasnet::portals_conduit {

class PortalsBarrier final : public SplitBarrier {
 public:
  const char* name() const override { return "PORTAL"; }

  // Returns true if an interface with these limits has enough descriptors,
  // counters, atomics and triggered operations for `size` ranks.
  static bool Fits(const ptl_ni_limits_t& limits, Rank size);

  // Makes a barrier for at least two ranks. Returns an error if Portals lacks
  // resources. Portals may lack them even if Fits() returned true.
  static absl::StatusOr<std::unique_ptr<PortalsBarrier>> Make(
      ConduitInterface& interface, Rank me, Rank size);

  // Appends the barrier's entries, and sets up the first phase. Called once the
  // interface knows the ranks. The caller waits for the links of the entries
  // with ConduitInterface::AwaitLinks().
  absl::Status Start(Bell& bell);

  // Implement SplitBarrier.
  void Notify(const BarrierVote& mine) override;
  bool Done() override;
  BarrierVote Result() override;

  // Makes the bell ring when the open phase is complete. Does nothing if no
  // phase is open. Called by the thread that waits for the bell.
  void RingWhenDone();

 private:
  static constexpr uint64_t kSets = 3;
  static constexpr uint64_t kNoPhase = 0;

  // The memory of a phase. Each word has one writer. From the beginning to the
  // end of the phase, only Portals writes `known`.
  struct Set {
    alignas(64) BarrierWords known;
    alignas(64) BarrierWords mine;
  };

  PortalsBarrier(ConduitInterface& interface, Rank me, Rank size);

  absl::Status Allocate();
  Set& SetOf(uint64_t phase) const { return sets_[phase % kSets]; }
  ptl_handle_ct_t& CounterOf(uint64_t phase, uint32_t step) {
    return counters_[phase % kSets * steps_ + step];
  }
  // Returns the value that the counter of each step has when the step is
  // complete.
  uint64_t CountOf(uint64_t phase) const {
    const uint64_t uses = (phase + kSets - 1) / kSets;
    return steps_ == 1 ? uses : 2 * uses;
  }
  uint64_t BitsOf(uint64_t phase, uint32_t step) const {
    return phase % kSets * steps_ + step;
  }
  RemoteTarget Ahead(uint64_t phase, uint32_t step) const;
  void SendVote(uint64_t phase, Rank peer);
  uint64_t OffsetOf(const BarrierWords& words) const;
  void SetUp(uint64_t phase);

  ConduitInterface& interface_;
  const Rank me_;
  const Rank size_;
  const uint32_t steps_;
  Bell* bell_ = nullptr;
  Buffers memory_;
  // kSets sets, in memory that peers access
  Set* sets_ = nullptr;
  DescriptorWindow window_ = {};           // descriptor over all sets
  std::vector<ptl_handle_ct_t> counters_;  // indexed by set and step
  uint64_t phase_ = 0;                     // phases begin at 1
  // The phase that has begun and whose result has not been taken, or kNoPhase.
  // Sequentially consistent, like the members of Bell.
  std::atomic<uint64_t> open_{kNoPhase};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_BARRIER_H_
