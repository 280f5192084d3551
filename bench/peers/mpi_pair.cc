// Open MPI between two processes, each bound to a core.
#include <mpi.h>

#include "bench/harness/operations.h"
#include "bench/peers/mpi_peer.h"
#include "bench/peers/mpi_rma.h"
#include "bench/peers/mpi_two_sided.h"

namespace gasnet::bench {
namespace {

// WordPingPong and WordFlood measure messages of 8 bytes. Their results are
// compared with GASNet's Short. A Short carries no payload.
double WordPingPong(size_t, uint64_t rounds) { return MpiPingPong(8, rounds); }
double WordFlood(size_t, uint64_t rounds) { return MpiFlood(8, rounds); }

Row Messages(const char* operation, size_t size, Measure measure) {
  return {operation, size, measure, {}, 0, kMpiMessages};
}

Row Rma(const char* operation, size_t size, Measure measure) {
  return {operation, size, measure, {}, 0, kMpiRma};
}

const Row kRows[] = {
    Messages(kShortRoundTrip, 0, WordPingPong),
    Messages(kMediumRoundTrip, 512, MpiPingPong),
    Messages(kLongShortReply, 4096, MpiSmallReply),
    Messages(kMediumFlood, 8, MpiFlood),
    Messages(kShortFlood, 0, WordFlood),
    Rma(kPutConstant, 8, MpiPut),
    Rma(kGetConstant, 8, MpiGet),
    Rma(kPut, size_t{64} << 10, MpiPut),
    Rma(kPut, size_t{4} << 20, MpiPut),
    Rma(kGet, size_t{64} << 10, MpiGet),
    Rma(kGet, size_t{4} << 20, MpiGet),
    {kBarrierOfTwo, 0, MpiOneBarrier, {}, 0, kMpiBarrier},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  gasnet::bench::OpenMpiWindow();
  const int code =
      gasnet::bench::MeasureMpiRows(argc, argv, gasnet::bench::kRows);
  gasnet::bench::CloseMpiWindow();
  MPI_Finalize();
  return code;
}
