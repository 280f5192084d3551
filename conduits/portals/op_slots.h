// A counter of op slots. Each op slot permits one operation. So the number of
// op slots limits the operations under way at once (GASNET_PORTAL_MSG_LIMIT).
//
// The last two op slots are reserved for a thread that serves a request. The
// thread takes both before it looks for a request. A rank's own request keeps
// its op slot until the request is answered. Without the reserve, two ranks
// full of requests would wait for each other.
//
// Thread-safe. All threads write the counter, so it has its own cache line.
#ifndef CONDUITS_PORTALS_OP_SLOTS_H_
#define CONDUITS_PORTALS_OP_SLOTS_H_

#include <atomic>
#include <cstdint>

#include "base/cache_line.h"
#include "core/thread/mode.h"

namespace gasnet::portals_conduit {

class alignas(kCacheLine) OpSlots {
 public:
  static constexpr uint32_t kForReplies = 2;

  explicit OpSlots(uint32_t limit) : limit_(limit) {}

  bool Take() { return TakeBelow(1, limit_ - kForReplies); }
  bool TakeForReply(uint32_t count) { return TakeBelow(count, limit_); }
  void Give(uint32_t count) { Add(-count); }

  uint32_t in_use() const { return in_use_.load(std::memory_order_relaxed); }

 private:
  // Relaxed, because events order the accesses to the memory of an operation.
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  bool TakeBelow(uint32_t count, uint32_t limit) {
    uint32_t used = in_use();
    do {
      if (used + count > limit) return false;
    } while (!Exchange(used, used + count));
    return true;
  }
  bool Exchange(uint32_t& from, uint32_t to) {
    if constexpr (thread::kConcurrent) {
      return in_use_.compare_exchange_weak(from, to, kRelaxed);
    }
    in_use_.store(to, kRelaxed);
    return true;
  }
  void Add(uint32_t n) {
    if constexpr (thread::kConcurrent) {
      in_use_.fetch_add(n, kRelaxed);
    } else {
      in_use_.store(in_use() + n, kRelaxed);
    }
  }

  const uint32_t limit_;
  std::atomic<uint32_t> in_use_{0};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_OP_SLOTS_H_
