// Plain UDP: two processes with one non-blocking socket each on loopback. Each
// process spins until a datagram arrives.
#ifndef BENCH_LIMITS_UDP_LOOP_H_
#define BENCH_LIMITS_UDP_LOOP_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

// Returns U: nanoseconds of a round trip of `there` bytes to the other process
// and 16 bytes back. A message of more than half the largest datagram is sent
// in pieces of half a datagram, because that is faster. The other process runs
// on `cpu`.
double UdpRoundTripNanos(size_t there, uint64_t rounds, int cpu);

// Returns nanoseconds per `size` bytes of a long stream in one direction. The
// receiver regularly acknowledges the data that it has read. So the sender
// never overruns it, and no datagram is lost.
double UdpStreamNanos(size_t size, uint64_t rounds, int cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_UDP_LOOP_H_
