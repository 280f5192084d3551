// Leave to send requests to a peer: as many credits as it lends at the start.
//
// Any threads. Relaxed: what a credit stands for is ordered by the messages.
#ifndef CONDUITS_PORTALS_CREDITS_H_
#define CONDUITS_PORTALS_CREDITS_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "core/rank.h"
#include "core/thread/mode.h"

namespace gasnet::portals {

class StaticCredits {
 public:
  StaticCredits(Rank ranks, uint32_t each, bool enabled)
      : each_(each),
        enabled_(enabled),
        in_use_(std::make_unique<std::atomic<uint32_t>[]>(ranks)) {}

  bool Take(Rank peer, uint32_t count) {
    if (!enabled_) return true;
    std::atomic<uint32_t>& used = in_use_[peer];
    uint32_t now = used.load(std::memory_order_relaxed);
    do {
      if (now + count > each_) return false;
    } while (!Exchange(used, now, now + count));
    return true;
  }
  void GiveBack(Rank peer, uint32_t count) {
    if (!enabled_) return;
    std::atomic<uint32_t>& used = in_use_[peer];
    uint32_t now = used.load(std::memory_order_relaxed);
    while (!Exchange(used, now, now - count)) {
    }
  }

 private:
  static bool Exchange(std::atomic<uint32_t>& used, uint32_t& from,
                       uint32_t to) {
    if constexpr (thread::kConcurrent) {
      return used.compare_exchange_weak(from, to, std::memory_order_relaxed);
    }
    used.store(to, std::memory_order_relaxed);
    return true;
  }

  const uint32_t each_;
  const bool enabled_;
  const std::unique_ptr<std::atomic<uint32_t>[]> in_use_;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_CREDITS_H_
