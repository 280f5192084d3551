// Wakes the sleeping threads of one rank, and says which of its rings to look
// at. One in shared memory for every rank.
//
// To sleep: Arm, look once more, Sleep. To wake: make the event visible, Ring.
//
// Arm reads the epoch before it raises `armed`. Ring lowers `armed` and then
// advances the epoch. So a Ring that lowered the flag of a thread advanced the
// epoch after that thread read it, and its Sleep returns at once. The event and
// the flag are ordered by the asymmetric fence: either the ringer sees the flag
// or the sleeper sees the event. A woken thread that still has to wait arms
// anew; many messages to a rank that is on its way to wake cost one system call
// together.
#ifndef CORE_HOSTSHM_DOORBELL_H_
#define CORE_HOSTSHM_DOORBELL_H_

#include <atomic>
#include <cstdint>

#include "base/futex.h"
#include "core/hostshm/asymmetric_fence.h"
#include "core/hostshm/layout.h"

namespace gasnet::hostshm {

struct alignas(kLine) Doorbell {
  std::atomic<uint32_t> armed;
  std::atomic<uint32_t> epoch;

  uint32_t Arm() {
    const uint32_t seen = epoch.load(std::memory_order_seq_cst);
    armed.store(1, std::memory_order_seq_cst);
    return seen;
  }

  // Returns when Ring was called after the Arm that answered `seen`, or
  // spuriously. At once when the flag is down: a wait that began and ended
  // after that Arm, within this one, has lowered it, and Ring would wake
  // nobody.
  void Sleep(uint32_t seen, bool fenced) {
    SleepAtMost(seen, fenced ? -1 : kUnfencedSleepNanos);
  }

  // Negative: without a limit.
  void SleepAtMost(uint32_t seen, int64_t nanos) {
    if (armed.load(std::memory_order_relaxed) != 0) {
      FutexWait(epoch, seen, nanos);
    }
  }
  // Or would wake nobody, as above.
  bool HasRungSince(uint32_t seen) const {
    return epoch.load(std::memory_order_seq_cst) != seen ||
           armed.load(std::memory_order_relaxed) == 0;
  }

  // Spares the next Ring a system call, where nobody else can be asleep.
  void Disarm() { armed.store(0, std::memory_order_relaxed); }

  // After making an event visible.
  [[gnu::always_inline]] void Ring() {
    AsymmetricFence::LightFence();
    if (armed.load(std::memory_order_relaxed) != 0) [[unlikely]]
      Wake();
  }

 private:
  // How long a sleeper may miss an event where it could not fence.
  static constexpr int64_t kUnfencedSleepNanos = 1'000'000;

  [[gnu::noinline]] void Wake() {
    if (armed.exchange(0, std::memory_order_seq_cst) == 0) return;
    epoch.fetch_add(1, std::memory_order_seq_cst);
    FutexWake(epoch, kEverybody);
  }

  static constexpr int kEverybody = 0x7fffffff;
};

static_assert(sizeof(Doorbell) == kLine);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_DOORBELL_H_
