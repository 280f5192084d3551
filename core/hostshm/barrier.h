// A split-phase barrier of the ranks of one host, in shared memory.
//
// Every rank has two votes, each in its own cache line: one for even phases,
// one for odd. Notify writes the vote of this phase. A rank is done when it has
// seen the votes of all ranks. Two votes suffice: a rank is at most one phase
// ahead of the others, since it cannot finish a phase that another rank has not
// begun. A vote is one 64-bit word, so phase, name and flags are read together.
//
// The rank that completes the phase wakes sleepers. After writing its vote and
// a full fence, each rank looks at the votes of all the others. So at least one
// of the last ranks sees all votes and rings the doorbells.
#ifndef CORE_HOSTSHM_BARRIER_H_
#define CORE_HOSTSHM_BARRIER_H_

#include <atomic>
#include <cstdint>

#include "base/causality.h"
#include "base/cpu.h"
#include "core/barrier_vote.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/layout.h"
#include "core/split_barrier.h"

namespace gasnet::hostshm {

class Barrier final : public SplitBarrier {
 public:
  Barrier(unsigned char* base, const Layout& layout, uint32_t host_rank,
          HostLink& link)
      : base_(base), layout_(layout), me_(host_rank), link_(link) {}

  const char* name() const override { return "SHM"; }

  void Notify(const BarrierVote& mine) override {
    ++phase_;
    seen_ = 0;
    merged_ = BarrierVote{};
    Causality::BeforeSending();
    VoteOf(phase_, me_).store(Pack(mine), std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (Done()) link_.RingAll();
  }

  bool Done() override {
    for (; seen_ < layout_.ranks(); ++seen_) {
      const uint64_t word =
          VoteOf(phase_, seen_).load(std::memory_order_acquire);
      if (static_cast<uint32_t>(word >> 2 & kPhaseMask) !=
          (phase_ & kPhaseMask)) {
        return false;
      }
      merged_ = Merge(merged_, {.named = (word & 1) != 0,
                                .mismatch = (word & 2) != 0,
                                .id = static_cast<int32_t>(word >> 32)});
    }
    Causality::AfterReceiving();
    // No rank reads our vote of the previous phase any more, and the next phase
    // reuses it. So the vote's cache line can be fetched for writing.
    PrefetchForWrite(&VoteOf(phase_ + 1, me_));
    return true;
  }

  BarrierVote Result() override { return merged_; }

 private:
  static constexpr uint32_t kPhaseMask = (1u << 30) - 1;

  uint64_t Pack(const BarrierVote& vote) const {
    return uint64_t{vote.named} | uint64_t{vote.mismatch} << 1 |
           uint64_t{phase_ & kPhaseMask} << 2 |
           uint64_t{static_cast<uint32_t>(vote.id)} << 32;
  }

  std::atomic<uint64_t>& VoteOf(uint32_t phase, uint32_t rank) const {
    return *reinterpret_cast<std::atomic<uint64_t>*>(
        base_ + layout_.vote_at(phase % 2, rank));
  }

  unsigned char* const base_;
  const Layout layout_;
  const uint32_t me_;
  HostLink& link_;
  uint32_t phase_ = 0;  // 0 is the initial content of memory, not a phase
  uint32_t seen_ = 0;   // ranks below this one have notified
  BarrierVote merged_;
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_BARRIER_H_
