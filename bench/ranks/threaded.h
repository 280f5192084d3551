// Several client threads on each of two ranks that communicate all at once,
// each with the thread of its number on the other rank.
#ifndef BENCH_RANKS_THREADED_H_
#define BENCH_RANKS_THREADED_H_

#include <cstddef>
#include <cstdint>

#include "bench/ranks/ranks.h"

namespace gasnet::bench {

inline constexpr int kThreads = 4;

void AddThreadedHandlers(HandlerTable& table);

// Measures (see row.h). Nanoseconds that pass for each of a rank's operations,
// whichever thread did it; both ranks do as many. A wrong result ends the job.
double ThreadedRoundTrips(size_t size, uint64_t rounds);
double ThreadedPuts(size_t size, uint64_t rounds);

// The same with one thread on each rank: the limits.
double OneThreadRoundTrips(size_t size, uint64_t rounds);
double OneThreadPuts(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_THREADED_H_
