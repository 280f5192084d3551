// Open MPI between two processes, by size.
#include <mpi.h>

#include <vector>

#include "bench/harness/operations.h"
#include "bench/peers/mpi_peer.h"
#include "bench/peers/mpi_rma.h"
#include "bench/peers/mpi_two_sided.h"

namespace gasnet::bench {
namespace {

// Returns rows up to the size of GASNet's largest Long.
std::vector<Row> SweepRows() {
  std::vector<Row> rows;
  for (const size_t size : SweepSizes(kLargestTransfer)) {
    rows.push_back({kLongRoundTrip, size, MpiPingPong, {}, 0, kMpiMessages});
    rows.push_back({kPut, size, MpiPut, {}, 0, kMpiRma});
    rows.push_back({kGet, size, MpiGet, {}, 0, kMpiRma});
  }
  return rows;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  gasnet::bench::OpenMpiWindow();
  const int code =
      gasnet::bench::MeasureMpiRows(argc, argv, gasnet::bench::SweepRows());
  gasnet::bench::CloseMpiWindow();
  MPI_Finalize();
  return code;
}
