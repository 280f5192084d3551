// How a thread with nothing to do waits: spin, then yield the processor, then
// sleep until something happens. The wait mode (spec 3.6.2.1) and whether the
// host has more ranks than processors decide how long each stage lasts.
//
// A wait is a sequence of idle steps of one thread. gasneti_wait_t holds its
// representation, since GASNET_BLOCKUNTIL expands in the client; all zero bits
// is a wait that has not begun.
#ifndef CORE_AM_WAIT_H_
#define CORE_AM_WAIT_H_

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <limits>

#include "base/cpu.h"

namespace gasnet::am {

// While yielding, so many steps for each time the processor is given away. Who
// gets it back has waited for all the others; what it lacks then comes from
// another processor, most likely soon, and to give it away again would mean to
// wait for all of them once more.
inline constexpr uint32_t kLooksPerYield = 8;

// Idle steps before the next stage. kForever: the stage never ends.
struct WaitBudget {
  uint32_t spins;
  uint32_t yields;
};

inline constexpr uint32_t kForever = std::numeric_limits<uint32_t>::max();

enum class WaitMode : uint8_t { kSpin, kBlock, kSpinBlock };

// A job with a processor for every rank spins long: a wake-up costs more than
// most waits. One without must let the others run at once.
constexpr WaitBudget BudgetFor(WaitMode mode, bool oversubscribed) {
  switch (mode) {
    case WaitMode::kSpin:
      return {kForever, 0};
    case WaitMode::kBlock:
      return {0, 0};
    case WaitMode::kSpinBlock:
      break;
  }
  return oversubscribed ? WaitBudget{0, 50 * kLooksPerYield}
                        : WaitBudget{1000, 500 * kLooksPerYield};
}

class Wait {
 public:
  // Does one idle step. The caller looks at its condition, and polls, between
  // any two steps, and calls Progress when that found something to do.
  template <class Link>
  void Idle(Link& link, WaitBudget budget) {
    if (armed_ != 0) {
      link.Sleep(epoch_);
      Progress(link);
    } else if (steps_ < budget.spins) {
      CpuRelax();
      if (budget.spins != kForever || steps_ == 0) ++steps_;
    } else if (steps_ - budget.spins < budget.yields) {
      if ((steps_ - budget.spins) % kLooksPerYield == 0) sched_yield();
      ++steps_;
    } else {
      epoch_ = link.Arm();
      armed_ = 1;
    }
  }

  // Whether the last step was a spin: the caller's last look is a moment ago.
  bool HasSpun(WaitBudget budget) const {
    return armed_ == 0 && steps_ > 0 && steps_ <= budget.spins;
  }

  // Starts over after something happened. Also ends the wait.
  template <class Link>
  void Progress(Link& link) {
    if (armed_ != 0) link.Disarm();
    armed_ = 0;
    steps_ = 0;
  }

 private:
  uint32_t steps_ = 0;
  uint32_t epoch_ = 0;
  uint32_t armed_ = 0;  // 0 or 1; a bool would leave padding
};

}  // namespace gasnet::am

#endif  // CORE_AM_WAIT_H_
