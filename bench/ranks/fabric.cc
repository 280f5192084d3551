// The cost of messages and transfers between two ranks, each bound to a core.
// The ranks communicate only through libfabric, or only through Portals.
// bench/peers/fabric_pair.cc measures the same libfabric provider by itself.
// bench/portals/pair.cc measures Portals by itself.
#include "bench/harness/operations.h"
#include "bench/ranks/flood.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/round_trip.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

const Row kRows[] = {
    {kShortRoundTrip, 0, ShortRoundTrip},
    {kMediumRoundTrip, 512, MediumRoundTrip},
    {kPut, 8, Put},
    {kGet, 8, Get},
    {kMemset, 8, Memset},
    {kMemset, 512, Memset},
    {kMediumFlood, 8, MediumFlood},
    {kShortFlood, 0, ShortFlood},
    {kPutMany, 8, PutMany},
    {kPut, size_t{64} << 10, Put},
    {kGet, size_t{64} << 10, Get},
    {kPut, size_t{4} << 20, Put},
    {kGet, size_t{4} << 20, Get},
    {kLongShortReply, size_t{64} << 10, LongShortReply},
    {kBarrierOfTwo, 0, OneBarrier},
    {kBarrierAfterWork, 0, WaitAfterWork},
    {kRoundTripAsleep, 0, BlockingRoundTrip},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  HandlerTable handlers;
  AddRoundTripHandlers(handlers);
  AddFloodHandlers(handlers);
  const Options options = StartRanks(argc, argv, handlers, 2);
  MeasureRows(kRows, options);
}
