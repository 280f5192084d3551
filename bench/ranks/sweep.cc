// Latency by size between two ranks, each bound to a core: the data of the
// charts.
#include <algorithm>

#include "bench/harness/operations.h"
#include "bench/ranks/limit_rows.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/round_trip.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

void AddSizes(std::vector<Row>& rows, size_t largest, const Row& row) {
  for (const size_t size : SweepSizes(largest)) {
    rows.push_back(row);
    rows.back().size = size;
  }
}

// Returns true if the two ranks share no memory.
bool AreApart() {
  gasnet_nodeinfo_t nodes[2];
  gasnet_getNodeInfo(nodes, 2);
  return nodes[0].supernode != nodes[1].supernode;
}

std::vector<Row> SweepRows() {
  const bool apart = AreApart();
  std::vector<Row> rows;
  AddSizes(rows, kLargestTransfer,
           {kPut, 0, Put, apart ? kUdpLongTrip : kCopyIn});
  AddSizes(rows, kLargestTransfer,
           {kGet, 0, Get, apart ? kUdpLongTrip : kCopyOut});
  AddSizes(rows, gasnet_AMMaxMedium(), {kMediumRoundTrip, 0, MediumRoundTrip});
  // The payload returns as a reply, so it must fit in a reply too.
  const size_t longest = std::min(
      {kLargestTransfer, gasnet_AMMaxLongRequest(), gasnet_AMMaxLongReply()});
  AddSizes(rows, longest, {kLongRoundTrip, 0, LongRoundTrip});
  return rows;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  HandlerTable handlers;
  AddRoundTripHandlers(handlers);
  const Options options = StartRanks(argc, argv, handlers, 2);
  MeasureRows(SweepRows(), options);
}
