// The cost of communication among the ranks of one host with more ranks than
// processors.
#include "bench/harness/operations.h"
#include "bench/ranks/flood.h"
#include "bench/ranks/limit_rows.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/round_trip.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

const Row kRows[] = {
    {kCrowdBarrier, 0, OneBarrier, kFutexBarrier, 0.18},
    {kCrowdRoundTrip, 0, ShortRoundTrip, kFutexBarrier, 1.0},
    {"Short round trips, all at once", 0, NeighbourRoundTrips, kFutexBarrier,
     1.0},
    {kCrowdFlood, 8, AllToAllFlood},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  HandlerTable handlers;
  AddRoundTripHandlers(handlers);
  AddFloodHandlers(handlers);
  const Options options = StartRanks(argc, argv, handlers, 0);
  MeasureRows(kRows, options);
}
