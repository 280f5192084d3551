// Plain UDP: two processes with one non-blocking socket each on loopback. Each
// process spins until a datagram arrives.
#ifndef BENCH_LIMITS_UDP_LOOP_H_
#define BENCH_LIMITS_UDP_LOOP_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

// Returns U: nanoseconds of a round trip of `there` bytes there and 16 bytes
// back. If `there` is more than half the largest datagram, the message is sent
// in pieces of that half, which is faster. The other process runs on `cpu`.
double UdpRoundTripNanos(size_t there, uint64_t rounds, int cpu);

// Returns nanoseconds per `size` bytes of an endless stream in one direction.
// The receiver regularly acknowledges its data, so that none is lost.
double UdpStreamNanos(size_t size, uint64_t rounds, int cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_UDP_LOOP_H_
