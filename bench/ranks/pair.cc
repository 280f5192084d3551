// The cost of messages and transfers between two ranks of one host, each bound
// to a core.
#include "bench/harness/operations.h"
#include "bench/ranks/flood.h"
#include "bench/ranks/limit_rows.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/round_trip.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

#if defined(GASNET_SEQ)
constexpr double kFloodAim = 0.15;
#else
constexpr double kFloodAim = 0.2;
#endif
// Accepts 0.97 times the baseline's bandwidth.
constexpr double kCopyAim = 1 / 0.97;

const Row kRows[] = {
    {kShortRoundTrip, 0, ShortRoundTrip, kLineBounce, 1.25},
    {kMediumRoundTrip, 512, MediumRoundTrip, kLineBounce, 2.0},
    {kLongShortReply, 4096, LongShortReply, kLineBounce, 1.6},
    {kMediumFlood, 8, MediumFlood, kLineBounce, kFloodAim},
    {kShortFlood, 0, ShortFlood, kLineBounce, kFloodAim},
    {kPutConstant, 8, PutConstant, kFencedStores, 1.2},
    {kPutManyConstant, 8, PutManyConstant, kStoreLoop, 1.2},
    {kGetConstant, 8, GetConstant, kLoadLoop, 1.2},
    {kPut, size_t{64} << 10, Put, kCopyIn, kCopyAim},
    {kPut, size_t{4} << 20, Put, kCopyIn, kCopyAim},
    {kGet, size_t{64} << 10, Get, kCopyOut},
    {kGet, size_t{4} << 20, Get, kCopyOut},
    {kBarrierOfTwo, 0, OneBarrier, kLineBounce, 0.65},
    {kRoundTripAsleep, 0, BlockingRoundTrip, kTwoWakes},
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
