// The messages of the barriers by active message, and a slot that keeps one
// message until the rank reads it.
#ifndef EXTENDED_BARRIER_MESSAGE_H_
#define EXTENDED_BARRIER_MESSAGE_H_

#include <atomic>
#include <cstdint>

#include "core/am/message.h"
#include "core/barrier_vote.h"

namespace gasnet::extended {

struct BarrierMessage {
  // The receiver of an outgoing message, or the sender of a received one.
  Rank peer = 0;
  uint32_t phase = 0;  // the barrier's number, from 1; wraps around
  uint32_t step = 0;   // its meaning depends on the implementation
  BarrierVote vote;
};

// Returns true if a message of `phase` may arrive in phase `current`. A rank
// that has completed a phase may be one phase ahead of a rank that has not. No
// rank is ever two phases ahead, since no rank completes a phase before all
// ranks have notified it.
constexpr bool IsNear(uint32_t phase, uint32_t current) {
  return phase - current <= 1;
}

// A slot for one message, reused in later phases. A handler writes the vote,
// then the phase with release order. The thread in the barrier reads the phase
// with acquire order. The phase number tells old messages from new ones, so the
// slot is never cleared. The owner of the slot must ensure that the next
// message cannot arrive before the last one is read.
class BarrierArrival {
 public:
  // Stores a vote. Returns false if the vote of this phase is already there.
  bool Put(uint32_t phase, const BarrierVote& vote) {
    if (phase_.load(std::memory_order_relaxed) == phase) return false;
    vote_ = vote;
    phase_.store(phase, std::memory_order_release);
    return true;
  }
  // Returns the vote of this phase, or null if it has not arrived.
  const BarrierVote* Get(uint32_t phase) const {
    return phase_.load(std::memory_order_acquire) == phase ? &vote_ : nullptr;
  }

 private:
  BarrierVote vote_;
  std::atomic<uint32_t> phase_{0};
};

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_MESSAGE_H_
