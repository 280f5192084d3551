// OpenSHMEM between two processes, by size.
#include <vector>

#include "bench/harness/operations.h"
#include "bench/peers/shmem_peer.h"

namespace gasnet::bench {
namespace {

std::vector<Row> SweepRows() {
  std::vector<Row> rows;
  for (const size_t size : SweepSizes(kLargestTransfer)) {
    rows.push_back(ShmemRow(kPut, size, ShmemPut));
    rows.push_back(ShmemRow(kGet, size, ShmemGet));
  }
  return rows;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  gasnet::bench::MeasureShmemRows(argc, argv, gasnet::bench::SweepRows());
}
