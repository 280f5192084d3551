// Collectives of ranks that share no memory. Small collectives are compared
// with GASNet's barrier, large ones with a blocking put of the same size.
#include <vector>

#include "bench/harness/collectives.h"
#include "bench/ranks/collectives.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

constexpr bool IsOneWay(Collective kind) {
  return !IsAllToAll(kind) && kind != Collective::kReduceAll;
}

// Returns the maximum acceptable time of a collective relative to its baseline,
// or 0 for none. The baseline is a put for 64 KiB or more, and a barrier below
// 64 KiB.
template <Collective kKind>
double AimInLoop(size_t size) {
  if (gasnet_nodes() != 2) return 0;
  if (size >= 65536) {
    if (IsOneWay(kKind)) return 1.25;
    return size == kLargestCollective ? 2.1 : 1.6;
  }
  return size == 8 && !IsOneWay(kKind) ? 1.3 : 0;
}

template <Collective kKind>
void AddRows(std::vector<Row>& rows) {
  constexpr Limit kBarrier = {"our barrier", BarrierNanos};
  constexpr Limit kPut = {"a put of as much", Put};
  const CollectiveNames& names = kCollectiveNames[static_cast<size_t>(kKind)];
  for (const size_t size : kCollectiveSizes) {
    if (!IsMeasured(kKind, size, gasnet_nodes())) continue;
    const Limit limit = size >= 65536 ? kPut : kBarrier;
    rows.push_back(
        {names.loop, size, Ours<kKind, false>, limit, AimInLoop<kKind>(size)});
    rows.push_back({names.sync, size, Ours<kKind, true>, limit});
  }
}

std::vector<Row> CollectiveRows() {
  std::vector<Row> rows;
  ForEachCollective([&]<Collective kKind>() { AddRows<kKind>(rows); });
  return rows;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  const Options options = StartForCollectives(argc, argv);
  MeasureRows(CollectiveRows(), options);
}
