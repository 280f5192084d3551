#include "core/thread/handler_safe_lock.h"

#include <atomic>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/futex.h"
#include "base/log.h"
#include "core/thread/thread_state.h"
#include "core/thread/tuning.h"

namespace gasnet::thread {
namespace {

enum LockState : uint32_t { kFree = 0, kHeld = 1, kContended = 2 };

constexpr uint32_t kDestroyed = 0x64656164u;

std::atomic_ref<uint32_t> StateOf(gasneti_hsl& lock) {
  return std::atomic_ref<uint32_t>(lock.state);
}

// Returns the state of a lock as an atomic futex word. On every platform with
// futexes, a std::atomic<uint32_t> has the representation of a uint32_t.
std::atomic<uint32_t>& FutexWord(gasneti_hsl& lock) {
  static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t) &&
                std::atomic<uint32_t>::is_always_lock_free);
  return reinterpret_cast<std::atomic<uint32_t>&>(lock.state);
}

bool TryTake(gasneti_hsl& lock) {
  uint32_t expected = kFree;
  return StateOf(lock).compare_exchange_strong(
      expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
}

void WaitAndTake(gasneti_hsl& lock) {
  for (int i = 0; i < kHandlerSafeSpins; ++i) {
    if (TryTake(lock)) return;
    CpuRelax();
  }
  while (StateOf(lock).exchange(kContended, std::memory_order_acquire) !=
         kFree) {
    FutexWait(FutexWord(lock), kContended);
  }
}

[[maybe_unused]] void CheckUsable(const gasneti_hsl& lock, const char* call) {
  if (lock.magic == GASNETI_HSL_MAGIC) return;
  Fatal("%s: the lock at %p %s", call, static_cast<const void*>(&lock),
        lock.magic == kDestroyed
            ? "has been destroyed"
            : "was not initialised with gasnet_hsl_init or "
              "GASNET_HSL_INITIALIZER");
}

[[maybe_unused]] void CheckMayAcquire(const gasneti_hsl& lock,
                                      const char* call) {
  CheckUsable(lock, call);
  const ThreadState& self = Self();
  for (const gasneti_hsl* held = self.top_lock; held; held = held->below) {
    if (held == &lock) {
      Fatal("%s: the lock at %p is already held by this thread", call,
            static_cast<const void*>(&lock));
    }
  }
}

bool TookLong(int64_t since, std::atomic_flag& told) {
  return NowNanos() - since > kLongHeld &&
         !told.test_and_set(std::memory_order_relaxed);
}
double SecondsSince(int64_t since) {
  return static_cast<double>(NowNanos() - since) /
         static_cast<double>(kNanosPerSecond);
}

[[maybe_unused]] void ReportIfAlive(const gasneti_hsl& lock) {
  static std::atomic_flag told;
  if (lock.magic != GASNETI_HSL_MAGIC ||
      told.test_and_set(std::memory_order_relaxed)) {
    return;
  }
  Warn(
      "gasnet_hsl_init: the lock at %p is already initialised; initialise a "
      "lock once, and again only after gasnet_hsl_destroy (reported once)",
      static_cast<const void*>(&lock));
}

[[maybe_unused]] void NoteAcquired(gasneti_hsl& lock) {
  ThreadState& self = Self();
  if (self.top_lock == nullptr) self.locked_since = NowNanos();
  lock.owner = &self;
  lock.below = self.top_lock;
  self.top_lock = &lock;
}

[[maybe_unused]] void CheckMayRelease(const gasneti_hsl& lock) {
  CheckUsable(lock, "gasnet_hsl_unlock");
  const ThreadState& self = Self();
  if (lock.owner != &self) {
    Fatal("gasnet_hsl_unlock: the lock at %p is not held by this thread",
          static_cast<const void*>(&lock));
  }
  if (self.top_lock != &lock) {
    Fatal(
        "gasnet_hsl_unlock: the lock at %p is not the one acquired last; "
        "release locks in the reverse order",
        static_cast<const void*>(&lock));
  }
}

// Checks the time only when the thread releases its last lock. That is the lock
// that it acquired first, and has held longest.
[[maybe_unused]] void NoteReleased(gasneti_hsl& lock) {
  static std::atomic_flag told;
  ThreadState& self = Self();
  self.top_lock = lock.below;
  lock.owner = nullptr;
  lock.below = nullptr;
  if (self.top_lock == nullptr && TookLong(self.locked_since, told)) {
    Warn(
        "gasnet_hsl_unlock: the lock at %p was held for %.1f s; a thread that "
        "holds a lock serves no messages, so hold it briefly (reported once)",
        static_cast<const void*>(&lock), SecondsSince(self.locked_since));
  }
}

// Returns true if the thread may hold or resume interrupts. In handlers, and
// while the thread holds a lock, interrupts are already off.
bool MaySetInterrupts(const ThreadState& self) {
  return self.context == Context::kClient && self.top_lock == nullptr;
}

}  // namespace

void Init(gasneti_hsl& lock) {
  if constexpr (kChecks) ReportIfAlive(lock);
  lock = {kFree, GASNETI_HSL_MAGIC, nullptr, nullptr};
}

void Destroy(gasneti_hsl& lock) {
  if constexpr (kChecks) CheckUsable(lock, "gasnet_hsl_destroy");
  if (StateOf(lock).load(std::memory_order_relaxed) != kFree) {
    Fatal("gasnet_hsl_destroy: the lock at %p is held",
          static_cast<void*>(&lock));
  }
  lock.magic = kDestroyed;
}

void Acquire(gasneti_hsl& lock) {
  if constexpr (kChecks) CheckMayAcquire(lock, "gasnet_hsl_lock");
  WaitAndTake(lock);
  if constexpr (kChecks) NoteAcquired(lock);
}

bool TryAcquire(gasneti_hsl& lock) {
  if constexpr (kChecks) CheckMayAcquire(lock, "gasnet_hsl_trylock");
  const bool taken = TryTake(lock);
  if constexpr (kChecks) {
    if (taken) NoteAcquired(lock);
  }
  return taken;
}

void Release(gasneti_hsl& lock) {
  if constexpr (kChecks) {
    CheckMayRelease(lock);
    NoteReleased(lock);
    if (StateOf(lock).exchange(kFree, std::memory_order_release) == kHeld) {
      return;
    }
  }
  FutexWake(FutexWord(lock), 1);
}

void HoldInterrupts() {
  ThreadState& self = Self();
  if (!MaySetInterrupts(self)) return;
  if (self.interrupts_held) {
    Fatal(
        "gasnet_hold_interrupts called in a no-interrupt section; sections "
        "do not nest");
  }
  self.interrupts_held = true;
  self.held_since = NowNanos();
}

void ResumeInterrupts() {
  static std::atomic_flag told;
  ThreadState& self = Self();
  if (!MaySetInterrupts(self)) return;
  if (!self.interrupts_held) {
    Fatal("gasnet_resume_interrupts called outside a no-interrupt section");
  }
  self.interrupts_held = false;
  if (TookLong(self.held_since, told)) {
    Warn(
        "gasnet_resume_interrupts: the no-interrupt section lasted %.1f s; a "
        "thread in one serves no messages, so keep it brief (reported once)",
        SecondsSince(self.held_since));
  }
}

}  // namespace gasnet::thread
