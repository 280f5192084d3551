#include "bench/peers/mpi_two_sided.h"

#include <mpi.h>

#include "base/clock.h"
#include "bench/limits/memory_loops.h"
#include "bench/peers/mpi_peer.h"

namespace gasnet::bench {
namespace {

constexpr size_t kWord = 8;

void Send(size_t size, int to) {
  MPI_Send(PrivateBuffer(), static_cast<int>(size), MPI_BYTE, to, 0,
           MPI_COMM_WORLD);
}

void Receive(size_t size, int from) {
  MPI_Recv(PrivateBuffer(), static_cast<int>(size), MPI_BYTE, from, 0,
           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Runs the two sides between barriers; rank 0's time.
template <class RankZero, class RankOne>
double Between(uint64_t rounds, RankZero rank_zero, RankOne rank_one) {
  MPI_Barrier(MPI_COMM_WORLD);
  const int64_t start = NowNanos();
  if (MpiRank() == 0) rank_zero();
  if (MpiRank() == 1) rank_one();
  const int64_t nanos = NowNanos() - start;
  MPI_Barrier(MPI_COMM_WORLD);
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

double ThereAndBack(size_t there, size_t back, uint64_t rounds) {
  return Between(
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

double MpiPingPong(size_t size, uint64_t rounds) {
  return ThereAndBack(size, size, rounds);
}

double MpiSmallReply(size_t size, uint64_t rounds) {
  return ThereAndBack(size, kWord, rounds);
}

double MpiFlood(size_t size, uint64_t rounds) {
  return Between(
      rounds,
      [=] {
        for (uint64_t i = 0; i < rounds; ++i) Send(size, 1);
        Receive(kWord, 1);
      },
      [=] {
        for (uint64_t i = 0; i < rounds; ++i) Receive(size, 0);
        Send(kWord, 0);
      });
}

double MpiOneBarrier(size_t, uint64_t rounds) {
  MPI_Barrier(MPI_COMM_WORLD);
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) MPI_Barrier(MPI_COMM_WORLD);
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

}  // namespace gasnet::bench
