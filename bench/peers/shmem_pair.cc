// OpenSHMEM between two processes, each bound to a core.
#include "bench/harness/operations.h"
#include "bench/peers/shmem_peer.h"

namespace gasnet::bench {
namespace {

const Row kRows[] = {
    ShmemRow(kPutConstant, 8, ShmemPutWord),
    ShmemRow(kGetConstant, 8, ShmemGetWord),
    ShmemRow(kPut, size_t{64} << 10, ShmemPut),
    ShmemRow(kPut, size_t{4} << 20, ShmemPut),
    ShmemRow(kGet, size_t{64} << 10, ShmemGet),
    ShmemRow(kGet, size_t{4} << 20, ShmemGet),
    ShmemRow(kBarrierOfTwo, 0, ShmemBarrier),
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  gasnet::bench::MeasureShmemRows(argc, argv, gasnet::bench::kRows);
}
