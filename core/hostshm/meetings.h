// Meetings of the ranks of one host, in shared memory. All ranks come to each
// numbered meeting, in any order of the numbers. There are two kinds of
// meetings, each with its own numbers.
//
// A rank has kMeetingWords words of each kind. When it comes to a meeting, it
// writes the number to the word at number % kMeetingWords. Before that, it has
// left all meetings whose numbers are less by kMeetingWords or more. So if a
// rank's word is at least a meeting's number, the rank has come to that
// meeting. Words of successive numbers lie in different cache lines: a rank
// that waits for one meeting does not hold the line that others write next.
//
// The last rank to come wakes sleepers, as in arrivals.h.
#ifndef CORE_HOSTSHM_MEETINGS_H_
#define CORE_HOSTSHM_MEETINGS_H_

#include <atomic>
#include <cstdint>

#include "base/causality.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/layout.h"

namespace gasnet::hostshm {

class Meetings {
 public:
  Meetings(unsigned char* base, const Layout& layout, uint32_t host_rank,
           HostLink& link)
      : base_(base), layout_(layout), me_(host_rank), link_(link) {}

  // Comes to a meeting. kind: 0 or 1. number: starts at any number but 0, and
  // may wrap.
  void Come(unsigned kind, uint32_t number) {
    Causality::BeforeSending();
    WordOf(kind, number, me_).store(number, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    uint32_t seen = 0;
    if (HaveAllCome(kind, number, seen)) link_.RingAll();
  }

  // Returns true if all ranks have come. seen: caches the first rank not yet
  // known to have come; initially 0.
  bool HaveAllCome(unsigned kind, uint32_t number, uint32_t& seen) const {
    for (; seen < layout_.ranks(); ++seen) {
      const uint32_t word =
          WordOf(kind, number, seen).load(std::memory_order_acquire);
      if (static_cast<int32_t>(word - number) < 0) return false;
    }
    Causality::AfterReceiving();
    return true;
  }

 private:
  std::atomic<uint32_t>& WordOf(unsigned kind, uint32_t number,
                                uint32_t rank) const {
    constexpr uint32_t kPerLine = kCacheLine / sizeof(uint32_t);
    constexpr uint32_t kLines = kMeetingWords / kPerLine;
    auto* const words = reinterpret_cast<std::atomic<uint32_t>*>(
        base_ + layout_.meeting_at(rank));
    return words[(kind * kLines + number % kLines) * kPerLine +
                 number / kLines % kPerLine];
  }

  unsigned char* const base_;
  const Layout layout_;
  const uint32_t me_;
  HostLink& link_;
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_MEETINGS_H_
