// Round trips of active messages between rank 0 and rank 1, one at a time.
// Every rank waits as a client does, in GASNET_BLOCKUNTIL. Rank 0 waits for the
// reply. The other ranks wait until rank 0 has finished.
#ifndef BENCH_RANKS_ROUND_TRIP_H_
#define BENCH_RANKS_ROUND_TRIP_H_

#include <cstddef>
#include <cstdint>

#include "bench/ranks/ranks.h"

namespace gasnet::bench {

void AddRoundTripHandlers(HandlerTable& table);

// Functions of type Measure (row.h). Return nanoseconds per round trip.
double ShortRoundTrip(size_t size, uint64_t rounds);
double MediumRoundTrip(size_t size, uint64_t rounds);
double LongShortReply(size_t size, uint64_t rounds);
double LongRoundTrip(size_t size, uint64_t rounds);

// Returns the 99th percentile of the times of Short round trips. Each round has
// a hundred round trips.
double ShortRoundTripTail(size_t size, uint64_t rounds);

// Sends requests from every rank to its right-hand neighbour at the same time.
// A round ends when all requests are answered.
double NeighbourRoundTrips(size_t size, uint64_t rounds);

// Like ShortRoundTrip, but in wait mode GASNET_WAIT_BLOCK.
double BlockingRoundTrip(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_ROUND_TRIP_H_
