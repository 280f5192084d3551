// Collectives of ranks that share memory. The baseline is the same collective,
// written by hand.
#include <vector>

#include "bench/harness/collectives.h"
#include "bench/ranks/collectives.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/reductions.h"

namespace gasnet::bench {
namespace {

// Returns the maximum acceptable time relative to the hand-written collective,
// or 0 for none. There are three cases: two ranks on separate processors, a few
// ranks, and many ranks.
double AimOf(size_t size, bool sync) {
  if (!sync) return 0;
  if (gasnet_nodes() == 2) {
    return size <= 1024 ? 1.35 : size < kLargestCollective ? 1.2 : 1.1;
  }
  if (gasnet_nodes() <= 4) return 1.3;
  return size <= 1024 ? 1.5 : size < kLargestCollective ? 1.3 : 1.15;
}

constexpr char kHand[] = "the same by hand";

template <Collective kKind>
void AddRows(std::vector<Row>& rows) {
  const CollectiveNames& names = kCollectiveNames[static_cast<size_t>(kKind)];
  for (const size_t size : kCollectiveSizes) {
    if (!IsMeasured(kKind, size, gasnet_nodes())) continue;
    rows.push_back({names.loop,
                    size,
                    Ours<kKind, false>,
                    {kHand, ByHand<kKind, false>},
                    AimOf(size, false)});
    rows.push_back({names.sync,
                    size,
                    Ours<kKind, true>,
                    {kHand, ByHand<kKind, true>},
                    AimOf(size, true)});
  }
}

// Adds rows that are compared with GASNet's barrier.
void AddBesideBarrier(std::vector<Row>& rows) {
  constexpr Limit kBarrier = {"our barrier", BarrierNanos};
  const bool two = gasnet_nodes() == 2;
  rows.push_back({"broadcast MYSYNC beside a barrier", 8,
                  Ours<Collective::kBroadcast, false>, kBarrier,
                  two ? 0.3 : 0});
  rows.push_back({"reduce_all MYSYNC beside a barrier", 8,
                  Ours<Collective::kReduceAll, false>, kBarrier,
                  two ? 1.3 : 0});
  for (const size_t size : {size_t{8}, size_t{1024}}) {
    rows.push_back({"broadcast ALLSYNC beside a barrier", size,
                    Ours<Collective::kBroadcast, false, kAllSync>, kBarrier,
                    two ? 2.3 : 0});
    rows.push_back({"reduce_all ALLSYNC beside a barrier", size,
                    Ours<Collective::kReduceAll, false, kAllSync>, kBarrier,
                    two ? 2.3 : 0});
  }
}

std::vector<Row> CollectiveRows() {
  std::vector<Row> rows;
  ForEachCollective([&]<Collective kKind>() { AddRows<kKind>(rows); });
  AddBesideBarrier(rows);
  if (gasnet_nodes() == 2) AddKernels(rows);
  return rows;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  const Options options = StartForCollectives(argc, argv);
  MeasureRows(CollectiveRows(), options);
}
