// Wakes the sleeping threads of one rank, and marks its rings that have
// messages. Each rank has one doorbell, in shared memory.
//
// A sleeper calls Arm, looks for its event once more, and calls Sleep. A waker
// makes the event visible and calls Ring.
//
// Arm reads the epoch before it raises the flag `armed`. Ring lowers the flag
// and then advances the epoch. So if a Ring lowers the flag that a thread has
// raised, the epoch advances after that thread has read it, and the thread's
// Sleep returns at once. The asymmetric fence orders the event and the flag:
// either the ringing thread sees the flag or the sleeper sees the event. A
// woken thread that still has to wait arms again. While a woken rank has not
// armed again, further messages to it cost no system call.
//
// A thread that also waits for file descriptors calls Watch in place of Sleep.
// A ringing thread then also wakes it through its socket (wake_socket.h). Watch
// only adds a flag to `armed`, so no Ring is lost.
#ifndef CORE_HOSTSHM_DOORBELL_H_
#define CORE_HOSTSHM_DOORBELL_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/asymmetric_fence.h"
#include "base/cache_line.h"
#include "base/clock.h"
#include "base/futex.h"
#include "core/hostshm/tuning.h"
#include "core/hostshm/wake_socket.h"

namespace gasnet::hostshm {

struct alignas(kCacheLine) Doorbell {
  std::atomic<uint32_t> armed;  // the bits kAsleep and kWatched
  std::atomic<uint32_t> epoch;
  WakeName watcher;  // set before the first Watch

  static constexpr uint32_t kAsleep = 1;
  static constexpr uint32_t kWatched = 2;

  uint32_t Arm() {
    const uint32_t seen = epoch.load(std::memory_order_seq_cst);
    armed.fetch_or(kAsleep, std::memory_order_seq_cst);
    return seen;
  }

  // Sleeps until Ring is called after the Arm that returned `seen`, for at most
  // `longest` nanoseconds; may wake spuriously. Returns at once if `armed` is
  // 0, since Ring would wake no thread then. This happens if an inner wait
  // began and ended after that Arm, and lowered the flag.
  void Sleep(uint32_t seen, bool fenced, int64_t longest = kNever) {
    if (armed.load(std::memory_order_relaxed) == 0) return;
    if (!fenced) longest = std::min(longest, kUnfencedSleepNanos);
    FutexWait(epoch, seen, longest == kNever ? -1 : longest);
  }

  // Returns true if no Ring was called since the Arm that returned `seen`, and
  // the next Ring will wake this thread.
  bool IsArmed(uint32_t seen) const {
    return armed.load(std::memory_order_relaxed) != 0 &&
           epoch.load(std::memory_order_relaxed) == seen;
  }

  // Replaces Sleep for a thread that then waits for the watcher's socket and
  // other descriptors. Returns false if the thread must not wait: Ring was
  // called after the Arm that returned `seen`, or `armed` is 0, so that Ring
  // would wake no thread. Called by one thread of a rank at a time.
  bool Watch(uint32_t seen) {
    uint32_t flags = armed.load(std::memory_order_relaxed);
    do {
      if (flags == 0) return false;
    } while (!armed.compare_exchange_weak(flags, flags | kWatched,
                                          std::memory_order_seq_cst,
                                          std::memory_order_relaxed));
    return epoch.load(std::memory_order_seq_cst) == seen;
  }
  // Ends a Watch, also one that returned false.
  void EndWatch() { armed.fetch_and(~kWatched, std::memory_order_relaxed); }

  // Lowers the flag, to save the next Ring a system call. Called only if no
  // other thread can be asleep.
  void Disarm() { armed.store(0, std::memory_order_relaxed); }

  // Wakes sleepers. The caller has made the event visible before.
  [[gnu::always_inline]] void Ring() {
    AsymmetricFence::LightFence();
    if (armed.load(std::memory_order_relaxed) != 0) [[unlikely]]
      Wake();
  }

 private:
  [[gnu::noinline]] void Wake() {
    const uint32_t flags = armed.exchange(0, std::memory_order_seq_cst);
    if (flags == 0) return;
    epoch.fetch_add(1, std::memory_order_seq_cst);
    FutexWake(epoch, kEverybody);
    if ((flags & kWatched) != 0) WakeSocket::Wake(watcher);
  }

  static constexpr int kEverybody = 0x7fffffff;
};

static_assert(sizeof(Doorbell) == kCacheLine);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_DOORBELL_H_
