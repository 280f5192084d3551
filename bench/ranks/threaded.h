// Several client threads on each of two ranks that all communicate at once,
// each with the thread of the same number on the other rank.
#ifndef BENCH_RANKS_THREADED_H_
#define BENCH_RANKS_THREADED_H_

#include <cstddef>
#include <cstdint>

#include "bench/ranks/ranks.h"

namespace gasnet::bench {

inline constexpr int kMaxThreads = 8;

void AddThreadedHandlers(HandlerTable& table);

// The operations. Each function returns nanoseconds per operation of a rank,
// whichever of its threads did it. A wrong result ends the job.
double RoundTrips(int threads, uint64_t rounds);
double OneSidedFlood(int threads, uint64_t rounds);
double TwoSidedFlood(int threads, uint64_t rounds);
double BlockingPuts(int threads, uint64_t rounds);
double ImplicitPuts(int threads, uint64_t rounds);

// Returns the factor by which `threads` threads on each of two ranks could be
// faster than one thread with this host's processors.
double PerfectScaling(int threads);

// Measures (see row.h).
template <double (*operation)(int, uint64_t), int threads>
double OnThreads(size_t, uint64_t rounds) {
  return operation(threads, rounds);
}
// Returns the limit: one thread on each rank, with perfect scaling.
template <double (*operation)(int, uint64_t), int threads>
double ScaledFromOne(size_t, uint64_t rounds) {
  return operation(1, rounds) / PerfectScaling(threads);
}

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_THREADED_H_
