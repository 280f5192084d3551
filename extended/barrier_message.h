// The messages of the barriers by active message, and the place where they are
// kept until a rank looks at them.
#ifndef EXTENDED_BARRIER_MESSAGE_H_
#define EXTENDED_BARRIER_MESSAGE_H_

#include <atomic>
#include <cstdint>

#include "core/am/message.h"
#include "core/barrier_vote.h"

namespace gasnet::extended {

struct BarrierMessage {
  Rank peer = 0;       // to be sent: to whom; received: from whom
  uint32_t phase = 0;  // counts barriers from 1 on, and wraps
  uint32_t step = 0;   // what it means is the implementation's
  BarrierVote vote;
};

// A rank that has completed a phase may be one ahead of one that has not, and
// never two: nobody completes a phase before all have notified it.
constexpr bool IsNear(uint32_t phase, uint32_t current) {
  return phase - current <= 1;
}

// A message expected once a phase. Written by a handler, with release order on
// the phase, read with acquire order by the thread in the barrier. The phase
// numbers make clearing unnecessary. Its user must see to it that the next
// message cannot come before the last is read.
class BarrierArrival {
 public:
  // False when it has arrived before.
  bool Put(uint32_t phase, const BarrierVote& vote) {
    if (phase_.load(std::memory_order_relaxed) == phase) return false;
    vote_ = vote;
    phase_.store(phase, std::memory_order_release);
    return true;
  }
  // Null unless it has arrived.
  const BarrierVote* Get(uint32_t phase) const {
    return phase_.load(std::memory_order_acquire) == phase ? &vote_ : nullptr;
  }

 private:
  BarrierVote vote_;
  std::atomic<uint32_t> phase_{0};
};

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_MESSAGE_H_
