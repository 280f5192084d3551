// Barriers among the ranks of one host, in shared memory, without votes.
// Several barriers may be in progress at a time. (The barrier of barrier.h has
// votes, and only one phase at a time.)
//
// Barriers are numbered from 1, and every rank arrives at them in order. Each
// rank has two words, each in its own cache line: the number of the last even
// barrier at which the rank has arrived, and the number of the last odd one.
// Barrier n is complete when every rank's word for the parity of n is at least
// n. A rank that polls for one barrier does not hold the cache line that the
// others write for the next barrier. This is why there are two words.
//
// The rank that completes a barrier wakes sleepers. After writing its word and
// a full fence, each rank looks at the words of all the others. So at least one
// of the last ranks sees all words and rings the doorbells.
#ifndef CORE_HOSTSHM_ARRIVALS_H_
#define CORE_HOSTSHM_ARRIVALS_H_

#include <atomic>
#include <cstdint>

#include "base/causality.h"
#include "base/cpu.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/layout.h"

namespace gasnet::hostshm {

class Arrivals {
 public:
  Arrivals(unsigned char* base, const Layout& layout, uint32_t host_rank,
           HostLink& link)
      : base_(base), layout_(layout), me_(host_rank), link_(link) {}

  struct Barrier {
    uint64_t number;
    bool is_complete;
  };
  // Arrives at the next barrier. Called by one thread at a time.
  Barrier Arrive() {
    const uint64_t number = ++last_;
    Causality::BeforeSending();
    WordOf(number, me_).store(number, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::atomic<uint32_t> seen{0};
    const bool is_complete = IsComplete(number, seen);
    if (is_complete) link_.RingAll();
    return {number, is_complete};
  }

  // Returns true if all ranks have arrived at barrier `number`. seen: caches
  // how many ranks, counted from rank 0, are known to have arrived; initially
  // 0. Any thread.
  bool IsComplete(uint64_t number, std::atomic<uint32_t>& seen) const {
    uint32_t rank = seen.load(std::memory_order_acquire);
    for (; rank < layout_.ranks(); ++rank) {
      if (WordOf(number, rank).load(std::memory_order_acquire) < number) {
        seen.store(rank, std::memory_order_release);
        return false;
      }
    }
    seen.store(rank, std::memory_order_release);
    Causality::AfterReceiving();
    PrefetchForWrite(&WordOf(number + 1, me_));
    return true;
  }

 private:
  std::atomic<uint64_t>& WordOf(uint64_t number, uint32_t rank) const {
    return *reinterpret_cast<std::atomic<uint64_t>*>(
        base_ + layout_.arrival_at(number % 2, rank));
  }

  unsigned char* const base_;
  const Layout layout_;
  const uint32_t me_;
  HostLink& link_;
  uint64_t last_ = 0;
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_ARRIVALS_H_
