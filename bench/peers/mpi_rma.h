// Open MPI's one-sided transfers between ranks 0 and 1, into a window that MPI
// allocated. Each put or get is followed by a flush, so it is complete at the
// target.
#ifndef BENCH_PEERS_MPI_RMA_H_
#define BENCH_PEERS_MPI_RMA_H_

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "bench/peers/mpi_peer.h"

namespace gasnet::bench {

inline constexpr char kMpiRma[] = GASNET_BENCH_MPI " RMA, flush";

// Makes the window. Collective. Called once, before anything is measured.
void OpenMpiWindow();
void CloseMpiWindow();

inline constexpr int kMpiTarget = 1;
extern MPI_Win mpi_window;

// Returns nanoseconds per operation. Rank 0 starts and completes `rounds`
// operations, while the other ranks wait.
template <class Operation>
double EachFlushed(uint64_t rounds, Operation operation) {
  MPI_Barrier(MPI_COMM_WORLD);
  const int64_t start = NowNanos();
  for (uint64_t i = 0; MpiRank() == 0 && i < rounds; ++i) {
    operation(mpi_window);
    MPI_Win_flush(kMpiTarget, mpi_window);
  }
  const int64_t nanos = NowNanos() - start;
  MPI_Barrier(MPI_COMM_WORLD);
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

// Functions of type Measure (row.h).
double MpiPut(size_t size, uint64_t rounds);
double MpiGet(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_PEERS_MPI_RMA_H_
