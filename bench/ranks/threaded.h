// Several client threads on each of two ranks, which all communicate at once.
// Each thread communicates with the thread of the same number on the other
// rank.
#ifndef BENCH_RANKS_THREADED_H_
#define BENCH_RANKS_THREADED_H_

#include <cstddef>
#include <cstdint>

#include "bench/ranks/ranks.h"

namespace gasnet::bench {

inline constexpr int kMaxThreads = 8;

void AddThreadedHandlers(HandlerTable& table);

// The operations. Each function returns nanoseconds per operation of a rank; an
// operation counts regardless of which thread did it. A wrong result ends the
// job.
double RoundTrips(int threads, uint64_t rounds);
double OneSidedFlood(int threads, uint64_t rounds);
double TwoSidedFlood(int threads, uint64_t rounds);
double BlockingPuts(int threads, uint64_t rounds);
double ImplicitPuts(int threads, uint64_t rounds);

// Returns the factor by which `threads` threads on each of two ranks could at
// most be faster than one thread, given this host's processors.
double PerfectScaling(int threads);

// A function of type Measure (row.h).
template <double (*operation)(int, uint64_t), int threads>
double OnThreads(size_t, uint64_t rounds) {
  return operation(threads, rounds);
}
// Measures the limit: one thread on each rank, scaled perfectly.
template <double (*operation)(int, uint64_t), int threads>
double ScaledFromOne(size_t, uint64_t rounds) {
  return operation(1, rounds) / PerfectScaling(threads);
}

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_THREADED_H_
