// The cost of lost datagrams for two ranks that share no memory. Run the
// program with GASNET_UDP_FAULTS, and for comparison without this variable.
#include "bench/harness/operations.h"
#include "bench/ranks/limit_rows.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/round_trip.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

const Row kRows[] = {
    {kPutMany, size_t{4} << 20, PutMany},
    {kShortTail, 0, ShortRoundTripTail, kUdpTail},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  HandlerTable handlers;
  AddRoundTripHandlers(handlers);
  const Options options = StartRanks(argc, argv, handlers, 2);
  MeasureRows(kRows, options);
}
