#include "bench/limits/line_bounce.h"

#include <sched.h>

#include <atomic>

#include "base/clock.h"
#include "bench/limits/child.h"

namespace gasnet::bench {
namespace {

using Line = std::atomic<uint64_t>;

void Echo(Line& line, uint64_t rounds) {
  for (uint64_t i = 0; i < rounds; ++i) {
    while (line.load(std::memory_order_acquire) != 2 * i + 1) {
    }
    line.store(2 * i + 2, std::memory_order_release);
  }
}

int64_t Bounce(Line& line, uint64_t first, uint64_t end) {
  const int64_t start = NowNanos();
  for (uint64_t i = first; i < end; ++i) {
    line.store(2 * i + 1, std::memory_order_release);
    while (line.load(std::memory_order_acquire) != 2 * i + 2) {
    }
  }
  return NowNanos() - start;
}

}  // namespace

double LineBounceNanos(uint64_t rounds, int cpu) {
  const SharedBlock block(4096);
  Line& line = *new (block.data()) Line(0);
  const uint64_t warm_up = rounds / 10 + 1;
  const int mine = sched_getcpu();
  const Children child(1, [&](int) {
    BindChild(cpu, mine);
    Echo(line, warm_up + rounds);
  });
  Bounce(line, 0, warm_up);
  return static_cast<double>(Bounce(line, warm_up, warm_up + rounds)) /
         static_cast<double>(rounds);
}

}  // namespace gasnet::bench
