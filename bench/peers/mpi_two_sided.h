// Open MPI's messages. A client of MPI would use them in place of active
// messages. Both sides know in advance which message comes next. There is no
// handler.
#ifndef BENCH_PEERS_MPI_TWO_SIDED_H_
#define BENCH_PEERS_MPI_TWO_SIDED_H_

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "bench/peers/mpi_peer.h"

namespace gasnet::bench {

inline constexpr char kMpiMessages[] = GASNET_BENCH_MPI " send, receive";
inline constexpr char kMpiBarrier[] = "Open MPI barrier";

// Runs rank_zero on rank 0 and rank_one on rank 1 between barriers. Returns
// nanoseconds per round on rank 0's clock.
template <class RankZero, class RankOne>
double BetweenTwo(uint64_t rounds, RankZero rank_zero, RankOne rank_one) {
  MPI_Barrier(MPI_COMM_WORLD);
  const int64_t start = NowNanos();
  if (MpiRank() == 0) rank_zero();
  if (MpiRank() == 1) rank_one();
  const int64_t nanos = NowNanos() - start;
  MPI_Barrier(MPI_COMM_WORLD);
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

// SendWord sends eight bytes to rank `to`; ReceiveWord receives them.
void SendWord(int to);
void ReceiveWord(int from);

// Returns nanoseconds per message from rank 0 to rank 1. Rank 1 answers each
// message with a message of one word.
template <class ToSend, class ToReceive>
double EachAnswered(uint64_t rounds, ToSend send, ToReceive receive) {
  return BetweenTwo(
      rounds,
      [&] {
        for (uint64_t i = 0; i < rounds; ++i) {
          send();
          ReceiveWord(1);
        }
      },
      [&] {
        for (uint64_t i = 0; i < rounds; ++i) {
          receive();
          SendWord(0);
        }
      });
}

// Functions of type Measure (row.h).

// Sends `size` bytes from rank 0 to rank 1 and back. Other ranks wait in a
// barrier.
double MpiPingPong(size_t size, uint64_t rounds);

// Sends `size` bytes from rank 0 to rank 1, and 8 bytes back.
double MpiSmallReply(size_t size, uint64_t rounds);

// Sends many messages of `size` bytes from rank 0 to rank 1. Rank 1 sends one
// message back when the last has arrived.
double MpiFlood(size_t size, uint64_t rounds);

double MpiOneBarrier(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_PEERS_MPI_TWO_SIDED_H_
