// The cost of a Short round trip to a rank that computes without calling
// GASNet. The progress thread (GASNET_PROGRESS_THREAD) serves this rank. Each
// rank is bound to a core, so its progress thread shares the core with the
// computation.
#include <gasnet.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "bench/harness/operations.h"
#include "bench/ranks/handlers.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

constexpr double kAim = 60'000;  // ns

std::atomic<uint64_t> pongs = 0;
std::atomic<bool> stopped = false;

void Ping(gasnet_token_t token) { gasnet_AMReplyShort0(token, kPong); }
void Pong(gasnet_token_t) { ++pongs; }
void Stop(gasnet_token_t) { stopped = true; }

double ToComputing(size_t, uint64_t rounds) {
  stopped = false;
  Barrier();
  if (gasnet_mynode() != 0) {
    while (!stopped.load(std::memory_order_relaxed)) {
    }
    Barrier();
    return 0;
  }
  const uint64_t before = pongs;
  const int64_t start = NowNanos();
  for (uint64_t i = 1; i <= rounds; ++i) {
    gasnet_AMRequestShort0(1, kPing);
    GASNET_BLOCKUNTIL(pongs == before + i);
  }
  const int64_t nanos = NowNanos() - start;
  gasnet_AMRequestShort0(1, kStop);
  Barrier();
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

const Row kRows[] = {
    {.operation = kToComputing, .size = 0, .measure = ToComputing, .aim = kAim},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  const Options options =
      StartRanks(argc, argv,
                 {HandlerEntry(kPing, Ping), HandlerEntry(kPong, Pong),
                  HandlerEntry(kStop, Stop)},
                 2);
  MeasureRows(kRows, options);
}
