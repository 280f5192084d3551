#include "bench/peers/mpi_two_sided.h"

#include <mpi.h>

#include "base/clock.h"
#include "bench/limits/memory_loops.h"

namespace gasnet::bench {
namespace {

void Send(size_t size, int to) {
  MPI_Send(PrivateBuffer(), static_cast<int>(size), MPI_BYTE, to, 0,
           MPI_COMM_WORLD);
}

void Receive(size_t size, int from) {
  MPI_Recv(PrivateBuffer(), static_cast<int>(size), MPI_BYTE, from, 0,
           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

double ThereAndBack(size_t there, size_t back, uint64_t rounds) {
  return BetweenTwo(
      rounds,
      [=] {
        for (uint64_t i = 0; i < rounds; ++i) {
          Send(there, 1);
          Receive(back, 1);
        }
      },
      [=] {
        for (uint64_t i = 0; i < rounds; ++i) {
          Receive(there, 0);
          Send(back, 0);
        }
      });
}

}  // namespace

void SendWord(int to) { Send(sizeof(double), to); }
void ReceiveWord(int from) { Receive(sizeof(double), from); }

double MpiPingPong(size_t size, uint64_t rounds) {
  return ThereAndBack(size, size, rounds);
}

double MpiSmallReply(size_t size, uint64_t rounds) {
  return ThereAndBack(size, sizeof(double), rounds);
}

double MpiFlood(size_t size, uint64_t rounds) {
  return BetweenTwo(
      rounds,
      [=] {
        for (uint64_t i = 0; i < rounds; ++i) Send(size, 1);
        Receive(sizeof(double), 1);
      },
      [=] {
        for (uint64_t i = 0; i < rounds; ++i) Receive(size, 0);
        Send(sizeof(double), 0);
      });
}

double MpiOneBarrier(size_t, uint64_t rounds) {
  MPI_Barrier(MPI_COMM_WORLD);
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) MPI_Barrier(MPI_COMM_WORLD);
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

}  // namespace gasnet::bench
