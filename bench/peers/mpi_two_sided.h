// Open MPI's messages: what a client would use in place of active messages.
// Both sides know what comes; there is no handler.
#ifndef BENCH_PEERS_MPI_TWO_SIDED_H_
#define BENCH_PEERS_MPI_TWO_SIDED_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

inline constexpr char kMpiMessages[] = "Open MPI send, receive";
inline constexpr char kMpiBarrier[] = "Open MPI barrier";

// Measures (see row.h).

// `size` bytes from rank 0 to rank 1 and back; others wait in a barrier.
double MpiPingPong(size_t size, uint64_t rounds);

// `size` bytes there, and 8 bytes back.
double MpiSmallReply(size_t size, uint64_t rounds);

// Many messages of `size` bytes from rank 0 to rank 1, and one back when the
// last has arrived.
double MpiFlood(size_t size, uint64_t rounds);

double MpiOneBarrier(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_PEERS_MPI_TWO_SIDED_H_
