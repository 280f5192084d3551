#include "portals/engine/shared_lock.h"

#include <sched.h>
#include <time.h>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "portals/memory/help.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

void Nap() {
  const timespec nap = ToTimespec(kLockNap);
  const NoCancellation asleep;
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

SharedLock::Got SharedLock::AcquireSlowly(DeadHolder dead) {
  int64_t ask_at = 0;
  for (int tries = 0;; ++tries) {
    const uint64_t holder = word_.load(std::memory_order_relaxed);
    if (holder == kBroken) return Got::kBroken;
    if (holder == 0) {
      if (TryAcquire()) return Got::kFree;
    } else if (tries < kLockSpins) {
      CpuRelax();
    } else if (tries < kLockSpins + kLockYields) {
      sched_yield();
    } else {
      const int64_t now = NowNanos();
      if (ask_at == 0) ask_at = now + kAskForHolder;
      if (now >= ask_at) {
        if (!IsAlive(holder) && Bury(holder, dead)) return Got::kFromDead;
        ask_at = now + kAskForHolder;
      }
      // The holder may wait for a copy, and perhaps only a helper thread of
      // this process can make that copy.
      Helper::StartWhereWanted();
      Nap();
    }
  }
}

}  // namespace gasnet::portals4
