// Counts of a rank's events (GASNET_PORTAL_STATISTICS). The rank reports the
// counts when it ends.
//
// Rare events are always counted, other events only on request. Memory order is
// relaxed, because only the sums matter.
#ifndef CONDUITS_PORTALS_STATISTICS_H_
#define CONDUITS_PORTALS_STATISTICS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/rank.h"
#include "core/thread/mode.h"

namespace gasnet::portals_conduit {

enum class Counted : uint8_t {
  // Counted on request only.
  kPuts,
  kGets,
  kAtomics,
  kRequests,
  kReplies,
  kNothings,  // empty replies for handlers without a reply
  kPackedLongs,
  kLongs,
  // Always counted. A kNo... is the number of times that a post or a poll had
  // to wait for the resource in its name.
  kNoCredit,
  kNoOpSlot,
  kNoChunk,
  kPaused,
  kNoReplyRoom,
  kNoLocalMemory,
  kRefusals,
  kResent,
  kShut,
  kSystemSent,
  kRefreshes,
  // Counted on request, if no descriptor covers all memory.
  kBounced,   // puts and gets through a bounce buffer
  kBinds,     // descriptors that were bound
  kReleases,  // descriptors that were released
  // Counted on request: the maximum number of descriptors in the cache, the
  // maximum number of bytes that all of them covered, and the maximum number of
  // bytes that one of them covered.
  kMaxBound,
  kMaxBoundBytes,
  kLargestBound,
  // Counted on request: the maximum number of events that one poll took from
  // each queue.
  kMaxSystem,
  kMaxSafe,
  kMaxRequests,
};
inline constexpr size_t kCounted =
    static_cast<size_t>(Counted::kMaxRequests) + 1;

class PortalsStatistics {
 public:
  explicit PortalsStatistics(bool wanted) : wanted_(wanted) {}

  bool wanted() const { return wanted_; }

  // Counts an event of the kinds that are counted on request only.
  void Count(Counted what) {
    if (wanted_) [[unlikely]]
      Note(what);
  }
  void Note(Counted what) {
    std::atomic<uint64_t>& count = counts_[static_cast<size_t>(what)];
    if constexpr (thread::kConcurrent) {
      count.fetch_add(1, std::memory_order_relaxed);
    } else {
      count.store(count.load(std::memory_order_relaxed) + 1,
                  std::memory_order_relaxed);
    }
  }

  // Counts a request that has to wait, and records the request's peer.
  void Starve(Counted what, Rank peer) {
    starved_.store(peer, std::memory_order_relaxed);
    Note(what);
  }
  // Returns the peer of the last request that had to wait.
  Rank starved() const { return starved_.load(std::memory_order_relaxed); }
  // Raises `what` to at least `number`, if counting is requested.
  void Reach(Counted what, uint64_t number) {
    if (!wanted_) [[likely]]
      return;
    std::atomic<uint64_t>& most = counts_[static_cast<size_t>(what)];
    uint64_t seen = most.load(std::memory_order_relaxed);
    while (seen < number && !most.compare_exchange_weak(
                                seen, number, std::memory_order_relaxed)) {
    }
  }

  uint64_t operator[](Counted what) const {
    return counts_[static_cast<size_t>(what)].load(std::memory_order_relaxed);
  }

  // Passes the name and the value of each event that is counted to add().
  template <class Add>
  void ForEachCounted(Add add) const {
    for (size_t i = 0; i < kCounted; ++i) {
      const auto what = static_cast<Counted>(i);
      if (wanted_ || IsAlwaysCounted(what)) add(NameOf(what), (*this)[what]);
    }
  }
  // Prints all counts as one line to the caller's memory. Allocates nothing,
  // because the end of a process may have interrupted an allocation.
  void Print(char* line, size_t size) const;

 private:
  static bool IsAlwaysCounted(Counted what) {
    return what >= Counted::kNoCredit && what <= Counted::kRefreshes;
  }
  static const char* NameOf(Counted what);

  const bool wanted_;
  std::atomic<Rank> starved_{0};
  std::array<std::atomic<uint64_t>, kCounted> counts_{};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_STATISTICS_H_
