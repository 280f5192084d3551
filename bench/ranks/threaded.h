// Several client threads on each of two ranks. All threads communicate at the
// same time, each with the thread of the same number on the other rank.
#ifndef BENCH_RANKS_THREADED_H_
#define BENCH_RANKS_THREADED_H_

#include <cstddef>
#include <cstdint>

#include "bench/ranks/ranks.h"

namespace gasnet::bench {

inline constexpr int kMaxThreads = 8;

void AddThreadedHandlers(HandlerTable& table);

// Return nanoseconds per operation, counting the operations of all threads of a
// rank together. A wrong result ends the job.
double RoundTrips(int threads, uint64_t rounds);
double OneSidedFlood(int threads, uint64_t rounds);
double TwoSidedFlood(int threads, uint64_t rounds);
double BlockingPuts(int threads, uint64_t rounds);
double ImplicitPuts(int threads, uint64_t rounds);

// Returns an upper bound for the speed-up by `threads` threads on each of two
// ranks. The speed-up is relative to one thread, and limited by this host's
// processors.
double PerfectScaling(int threads);

// A function of type Measure (row.h).
template <double (*operation)(int, uint64_t), int threads>
double OnThreads(size_t, uint64_t rounds) {
  return operation(threads, rounds);
}
// Measures the baseline: the time with one thread on each rank, divided by the
// perfect speed-up.
template <double (*operation)(int, uint64_t), int threads>
double ScaledFromOne(size_t, uint64_t rounds) {
  return operation(1, rounds) / PerfectScaling(threads);
}

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_THREADED_H_
