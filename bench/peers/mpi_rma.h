// Open MPI's one-sided transfers into a window that it allocated, each complete
// at the target (put or get, then flush). Between ranks 0 and 1.
#ifndef BENCH_PEERS_MPI_RMA_H_
#define BENCH_PEERS_MPI_RMA_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

inline constexpr char kMpiRma[] = "Open MPI RMA, flush";

// Makes the window, collectively; before the measures, and once.
void OpenMpiWindow();
void CloseMpiWindow();

// Measures (see row.h).
double MpiPut(size_t size, uint64_t rounds);
double MpiGet(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_PEERS_MPI_RMA_H_
