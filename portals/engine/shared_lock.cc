#include "portals/engine/shared_lock.h"

#include <sched.h>
#include <time.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "portals/memory/help.h"

namespace gasnet::portals4 {
namespace {

// A holder that runs is done by then.
constexpr int kSpins = 100;
// One that lost its processor has had it again by then, most of the time.
constexpr int kYields = 50;
constexpr int64_t kNap = 50'000;
// A question costs some microseconds; dead holders are rare.
constexpr int64_t kAskAfter = 10 * kNanosPerMilli;

void Nap() {
  const timespec nap = ToTimespec(kNap);
  nanosleep(&nap, nullptr);
}

}  // namespace

bool SharedLock::Bury(uint64_t holder, DeadHolder dead) {
  const uint64_t then = dead == DeadHolder::kBreak ? kBroken : ThisProcess();
  return word_.compare_exchange_strong(holder, then, std::memory_order_acquire,
                                       std::memory_order_relaxed) &&
         dead == DeadHolder::kTakeOver;
}

bool SharedLock::TakeOverFromDead() {
  const uint64_t holder = word_.load(std::memory_order_relaxed);
  return holder != 0 && holder != kBroken && holder != ThisProcess() &&
         !IsAlive(holder) && Bury(holder, DeadHolder::kTakeOver);
}

bool SharedLock::AcquireSlowly(DeadHolder dead) {
  int64_t ask_at = 0;
  for (int tries = 0;; ++tries) {
    const uint64_t holder = word_.load(std::memory_order_relaxed);
    if (holder == kBroken) return false;
    if (holder == 0) {
      if (TryAcquire()) return true;
    } else if (tries < kSpins) {
      CpuRelax();
    } else if (tries < kSpins + kYields) {
      sched_yield();
    } else {
      const int64_t now = NowNanos();
      if (ask_at == 0) ask_at = now + kAskAfter;
      if (now >= ask_at) {
        if (!IsAlive(holder) && Bury(holder, dead)) return true;
        ask_at = now + kAskAfter;
      }
      // The holder may wait for a copy that only we can make.
      Helper::StartWhereWanted();
      Nap();
    }
  }
}

}  // namespace gasnet::portals4
