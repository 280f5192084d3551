#include "bench/peers/mpi_rma.h"

#include <mpi.h>

#include "bench/limits/memory_loops.h"

namespace gasnet::bench {
MPI_Win mpi_window;

void OpenMpiWindow() {
  void* memory;
  MPI_Win_allocate(kMaxCopy, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                   &mpi_window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, mpi_window);
}

void CloseMpiWindow() {
  MPI_Win_unlock_all(mpi_window);
  MPI_Win_free(&mpi_window);
}

double MpiPut(size_t size, uint64_t rounds) {
  const int count = static_cast<int>(size);
  return EachFlushed(rounds, [=](MPI_Win window) {
    MPI_Put(PrivateBuffer(), count, MPI_BYTE, kMpiTarget, 0, count, MPI_BYTE,
            window);
  });
}

double MpiGet(size_t size, uint64_t rounds) {
  const int count = static_cast<int>(size);
  return EachFlushed(rounds, [=](MPI_Win window) {
    MPI_Get(PrivateBuffer(), count, MPI_BYTE, kMpiTarget, 0, count, MPI_BYTE,
            window);
  });
}

}  // namespace gasnet::bench
