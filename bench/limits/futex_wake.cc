#include "bench/limits/futex_wake.h"

#include <sched.h>

#include <atomic>

#include "base/clock.h"
#include "base/futex.h"
#include "bench/limits/child.h"

namespace gasnet::bench {
namespace {

using Word = std::atomic<uint32_t>;

// The futex words of the two processes, each on a cache line of its own.
struct Bells {
  alignas(64) Word child{0};
  alignas(64) Word parent{0};
};

void Ring(Word& word, uint32_t value) {
  word.store(value, std::memory_order_release);
  FutexWake(word, 1);
}

void SleepUntil(Word& word, uint32_t value) {
  for (;;) {
    const uint32_t seen = word.load(std::memory_order_acquire);
    if (seen == value) return;
    FutexWait(word, seen);
  }
}

}  // namespace

double FutexWakeNanos(uint64_t rounds, int cpu) {
  const SharedBlock block(4096);
  Bells& bells = *new (block.data()) Bells;
  const auto last = static_cast<uint32_t>(rounds) + 1;
  const int mine = sched_getcpu();
  const Children child(1, [&](int) {
    BindChild(cpu, mine);
    for (uint32_t i = 1; i <= last; ++i) {
      SleepUntil(bells.child, i);
      Ring(bells.parent, i);
    }
  });
  int64_t start = 0;
  for (uint32_t i = 1; i <= last; ++i) {
    Ring(bells.child, i);
    SleepUntil(bells.parent, i);
    if (i == 1) start = NowNanos();
  }
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

}  // namespace gasnet::bench
