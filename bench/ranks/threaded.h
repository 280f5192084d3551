// Several client threads on each of two ranks that communicate all at once,
// each with the thread of its number on the other rank.
#ifndef BENCH_RANKS_THREADED_H_
#define BENCH_RANKS_THREADED_H_

#include <cstddef>
#include <cstdint>

#include "bench/ranks/ranks.h"

namespace gasnet::bench {

inline constexpr int kMostThreads = 8;

void AddThreadedHandlers(HandlerTable& table);

// The operations. Each function returns the nanoseconds that pass for each of a
// rank's operations, whichever of its threads did it. A wrong result ends the
// job.
double RoundTrips(int threads, uint64_t rounds);
double OneSidedFlood(int threads, uint64_t rounds);
double TwoSidedFlood(int threads, uint64_t rounds);
double BlockingPuts(int threads, uint64_t rounds);
double ImplicitPuts(int threads, uint64_t rounds);

// Returns the factor by which `threads` threads on each of two ranks could be
// faster than one, with the processors that this host has.
double PerfectScaling(int threads);

// Measures (see row.h).
template <double (*operation)(int, uint64_t), int threads>
double OnThreads(size_t, uint64_t rounds) {
  return operation(threads, rounds);
}
// One thread on each rank, and perfect scaling: the limit.
template <double (*operation)(int, uint64_t), int threads>
double ScaledFromOne(size_t, uint64_t rounds) {
  return operation(1, rounds) / PerfectScaling(threads);
}

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_THREADED_H_
