// The cost of messages and transfers between two ranks that share no memory,
// each bound to a core. The baseline is the time of plain UDP without GASNet.
#include "bench/harness/operations.h"
#include "bench/ranks/flood.h"
#include "bench/ranks/limit_rows.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/round_trip.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

constexpr double kTripAim = 1.12;
constexpr double kFloodAim = 0.12;
constexpr double kLongAim = 1.4;
// Accepts 0.85 times the baseline's bandwidth.
constexpr double kStreamAim = 1 / 0.85;

const Row kRows[] = {
    {kShortRoundTrip, 0, ShortRoundTrip, kUdpRoundTrip, kTripAim},
    {kPut, 8, Put, kUdpRoundTrip, kTripAim},
    {kGet, 8, Get, kUdpRoundTrip, kTripAim},
    {kMediumRoundTrip, 512, MediumRoundTrip, kUdpRoundTrip},
    {kMediumFlood, 8, MediumFlood, kUdpRoundTrip, kFloodAim},
    {kShortFlood, 0, ShortFlood, kUdpRoundTrip},
    {kPutMany, 8, PutMany, kUdpRoundTrip, kFloodAim},
    {kPut, size_t{64} << 10, Put, kUdpLongTrip, kLongAim},
    {kGet, size_t{64} << 10, Get, kUdpLongTrip, kLongAim},
    {kPutMany, size_t{4} << 20, PutMany, kUdpStream, kStreamAim},
    {kGetMany, size_t{4} << 20, GetMany, kUdpStream, kStreamAim},
    {kBarrierOfTwo, 0, OneBarrier, kUdpRoundTrip, 0.75},
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
