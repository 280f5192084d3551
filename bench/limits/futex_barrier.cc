#include "bench/limits/futex_barrier.h"

#include <atomic>
#include <climits>

#include "base/clock.h"
#include "base/futex.h"
#include "bench/limits/child.h"

namespace gasnet::bench {
namespace {

class FutexBarrier {
 public:
  explicit FutexBarrier(uint32_t processes) : processes_(processes) {}

  void Wait() {
    const uint32_t mine = generation_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == processes_) {
      arrived_.store(0, std::memory_order_relaxed);
      generation_.store(mine + 1, std::memory_order_release);
      FutexWake(generation_, INT_MAX);
      return;
    }
    while (generation_.load(std::memory_order_acquire) == mine) {
      FutexWait(generation_, mine);
    }
  }

 private:
  alignas(64) std::atomic<uint32_t> arrived_{0};
  alignas(64) std::atomic<uint32_t> generation_{0};
  const uint32_t processes_;
};

}  // namespace

double FutexBarrierNanos(uint64_t rounds, int processes) {
  const SharedBlock block(4096);
  FutexBarrier& barrier =
      *new (block.data()) FutexBarrier(static_cast<uint32_t>(processes));
  const uint64_t warm_up = rounds / 10 + 1;
  const Children children(processes - 1, [&](int) {
    for (uint64_t i = 0; i < warm_up + rounds; ++i) barrier.Wait();
  });
  for (uint64_t i = 0; i < warm_up; ++i) barrier.Wait();
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) barrier.Wait();
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

}  // namespace gasnet::bench
