// Open MPI among more processes than processors.
#include <mpi.h>

#include "bench/harness/operations.h"
#include "bench/peers/mpi_peer.h"
#include "bench/peers/mpi_two_sided.h"

namespace gasnet::bench {
namespace {

double WordPingPong(size_t, uint64_t rounds) { return MpiPingPong(8, rounds); }

const Row kRows[] = {
    {kCrowdBarrier, 0, MpiOneBarrier, {}, 0, kMpiBarrier},
    {kCrowdRoundTrip, 0, WordPingPong, {}, 0, kMpiMessages},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code =
      gasnet::bench::MeasureMpiRows(argc, argv, gasnet::bench::kRows);
  MPI_Finalize();
  return code;
}
