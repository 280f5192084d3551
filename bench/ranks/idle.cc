// The processor time of ranks that wait in mode GASNET_WAIT_BLOCK. Rank 0
// sleeps outside GASNet and then wakes the other ranks. Each rank measures its
// own processor time.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>

#include "base/clock.h"
#include "bench/ranks/handlers.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

constexpr double kMaxPercent = 1;

volatile bool awake = false;

void WakeUp(gasnet_token_t) { awake = true; }

int64_t Nanos(const timeval& time) {
  return time.tv_sec * kNanosPerSecond + time.tv_usec * 1000;
}

int64_t CpuNanos() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return Nanos(usage.ru_utime) + Nanos(usage.ru_stime);
}

void SleepAndWakeOthers(int64_t nanos) {
  const timespec duration = ToTimespec(nanos);
  nanosleep(&duration, nullptr);
  for (gasnet_node_t rank = 1; rank < gasnet_nodes(); ++rank) {
    gasnet_AMRequestShort0(rank, kStop);
  }
}

// Returns the address in rank 0's memory where `rank` stores its processor
// time, in per cent of the elapsed time.
double* UsedBy(gasnet_node_t rank) {
  return reinterpret_cast<double*>(DataOf(0)) + rank;
}

// Returns the highest processor time of any rank except 0, in per cent of the
// elapsed time. The result is valid only on rank 0.
double IdlePercent(int64_t nanos) {
  awake = false;
  Barrier();
  const int64_t start = NowNanos();
  const int64_t before = CpuNanos();
  if (gasnet_mynode() == 0) {
    SleepAndWakeOthers(nanos);
  } else {
    GASNET_BLOCKUNTIL(awake);
  }
  double used = 100 * static_cast<double>(CpuNanos() - before) /
                static_cast<double>(NowNanos() - start);
  gasnet_put(0, UsedBy(gasnet_mynode()), &used, sizeof(used));
  Barrier();
  const double most = gasnet_mynode() == 0
                          ? *std::max_element(UsedBy(1), UsedBy(gasnet_nodes()))
                          : 0;
  Barrier();
  return most;
}

void MeasureIdle(const Options& options) {
  gasnet_set_waitmode(GASNET_WAIT_BLOCK);
  const auto nanos =
      static_cast<int64_t>(options.milliseconds * kNanosPerMilli);
  for (int i = 0; i < options.repetitions; ++i) {
    const double percent = IdlePercent(nanos);
    if (gasnet_mynode() != 0) continue;
    Print({.operation = "idle rank that blocks, processor",
           .mode = kMode,
           .unit = "%",
           .value = percent,
           .aim = kMaxPercent});
  }
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  const Options options =
      StartRanks(argc, argv, {HandlerEntry(kStop, WakeUp)}, 0);
  MeasureIdle(options);
  Barrier();
  gasnet_exit(0);
}
