// Event counts of a rank (GASNET_PORTAL_STATISTICS), which it reports when it
// ends.
//
// Rare events are always counted, others only on request. Memory order is
// relaxed: only the sums matter.
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
  // Counted on request.
  kPuts,
  kGets,
  kRequests,
  kReplies,
  kNothings,  // replies that handlers did not send
  kPackedLongs,
  kLongs,
  // Always counted. kNo...: the resource that a post or a poll had to wait for.
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
  kBounced,   // puts and gets by a bounce buffer
  kBinds,     // of descriptors
  kReleases,  // the same
  // Counted on request: the most descriptors of the cache, the most bytes that
  // they cover, and the most bytes of one.
  kMaxBound,
  kMaxBoundBytes,
  kLargestBound,
  // Counted on request: the most events of a queue in one poll.
  kMaxSystem,
  kMaxSafe,
  kMaxRequests,
};
inline constexpr size_t kCounted =
    static_cast<size_t>(Counted::kMaxRequests) + 1;

class Statistics {
 public:
  explicit Statistics(bool wanted) : wanted_(wanted) {}

  bool wanted() const { return wanted_; }

  // Counts an event that is counted on request.
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

  // Notes that a request to a peer has to wait.
  void Starve(Counted what, Rank peer) {
    starved_.store(peer, std::memory_order_relaxed);
    Note(what);
  }
  // Returns the peer of the last such request.
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

  // Prints all counts as one line to the caller's memory. Allocates nothing,
  // since the end of a process may have interrupted any code.
  void Print(char* line, size_t size) const;

 private:
  const bool wanted_;
  std::atomic<Rank> starved_{0};
  std::array<std::atomic<uint64_t>, kCounted> counts_{};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_STATISTICS_H_
