// The baseline for synchronisation among more processes than processors: a
// central barrier. It has a shared counter, and a generation number on which
// waiting processes sleep.
#ifndef BENCH_LIMITS_FUTEX_BARRIER_H_
#define BENCH_LIMITS_FUTEX_BARRIER_H_

#include <cstdint>

namespace gasnet::bench {

// Returns nanoseconds per barrier among `processes`: this one and its children.
double FutexBarrierNanos(uint64_t rounds, int processes);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_FUTEX_BARRIER_H_
