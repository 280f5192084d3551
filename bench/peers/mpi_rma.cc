#include "bench/peers/mpi_rma.h"

#include <mpi.h>

#include "base/clock.h"
#include "bench/limits/memory_loops.h"
#include "bench/peers/mpi_peer.h"

namespace gasnet::bench {
namespace {

constexpr int kTarget = 1;

MPI_Win window;

template <class Operation>
double OnRankZero(uint64_t rounds, Operation operation) {
  MPI_Barrier(MPI_COMM_WORLD);
  const int64_t start = NowNanos();
  for (uint64_t i = 0; MpiRank() == 0 && i < rounds; ++i) {
    operation();
    MPI_Win_flush(kTarget, window);
  }
  const int64_t nanos = NowNanos() - start;
  MPI_Barrier(MPI_COMM_WORLD);
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

}  // namespace

void OpenMpiWindow() {
  void* memory;
  MPI_Win_allocate(kMaxCopy, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                   &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

void CloseMpiWindow() {
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

double MpiPut(size_t size, uint64_t rounds) {
  const int count = static_cast<int>(size);
  return OnRankZero(rounds, [=] {
    MPI_Put(PrivateBuffer(), count, MPI_BYTE, kTarget, 0, count, MPI_BYTE,
            window);
  });
}

double MpiGet(size_t size, uint64_t rounds) {
  const int count = static_cast<int>(size);
  return OnRankZero(rounds, [=] {
    MPI_Get(PrivateBuffer(), count, MPI_BYTE, kTarget, 0, count, MPI_BYTE,
            window);
  });
}

}  // namespace gasnet::bench
