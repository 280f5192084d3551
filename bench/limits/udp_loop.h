// UDP without anything on top: two processes with a non-blocking socket each on
// loopback, which spin until something arrives.
#ifndef BENCH_LIMITS_UDP_LOOP_H_
#define BENCH_LIMITS_UDP_LOOP_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

// U: so many bytes there and 16 back. A message of more than half the largest
// datagram goes in pieces of that size, which is faster. The other process runs
// on `cpu`.
double UdpRoundTripNanos(size_t there, uint64_t rounds, int cpu);

// One way: nanoseconds for each `size` bytes of an endless stream, whose sender
// is told every now and then how much has arrived so that nothing is lost.
double UdpStreamNanos(size_t size, uint64_t rounds, int cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_UDP_LOOP_H_
