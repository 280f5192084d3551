// The cost of a round trip of two ranks, possibly on a machine with other load.
// The kernel chooses the ranks' processors. Each start of the job measures one
// figure: the total time divided by the number of round trips.
#include <gasnet.h>

#include <cstdint>

#include "base/clock.h"
#include "bench/harness/operations.h"
#include "bench/harness/sample.h"
#include "bench/ranks/handlers.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

constexpr int kTripsPerClock = 16;

volatile uint64_t pongs = 0;
volatile bool stopped = false;

void Ping(gasnet_token_t token) { gasnet_AMReplyShort0(token, kPong); }
void Pong(gasnet_token_t) { pongs = pongs + 1; }
void Stop(gasnet_token_t) { stopped = true; }

double RoundTripNanos(double milliseconds) {
  const int64_t start = NowNanos();
  const int64_t end =
      start + static_cast<int64_t>(milliseconds * kNanosPerMilli);
  uint64_t trips = 0;
  int64_t now;
  do {
    for (int i = 0; i < kTripsPerClock; ++i) {
      gasnet_AMRequestShort0(1, kPing);
      ++trips;
      GASNET_BLOCKUNTIL(pongs == trips);
    }
    now = NowNanos();
  } while (now < end);
  return static_cast<double>(now - start) / static_cast<double>(trips);
}

void MeasureStart(const Options& options) {
  Barrier();
  if (gasnet_mynode() == 0) {
    Print({.operation = kBusyFlags,
           .mode = kMode,
           .value = RoundTripNanos(options.milliseconds)});
    gasnet_AMRequestShort0(1, kStop);
  } else {
    GASNET_BLOCKUNTIL(stopped);
  }
  Barrier();
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  const Options options =
      StartRanks(argc, argv,
                 {HandlerEntry(kPing, Ping), HandlerEntry(kPong, Pong),
                  HandlerEntry(kStop, Stop)},
                 2);
  MeasureStart(options);
  gasnet_exit(0);
}
