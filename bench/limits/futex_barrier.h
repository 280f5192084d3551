// The limit of synchronisation among more processes than processors: a central
// barrier, a shared counter and a generation that the others sleep on.
#ifndef BENCH_LIMITS_FUTEX_BARRIER_H_
#define BENCH_LIMITS_FUTEX_BARRIER_H_

#include <cstdint>

namespace gasnet::bench {

// Nanoseconds of one barrier among `processes`: this one and its children.
double FutexBarrierNanos(uint64_t rounds, int processes);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_FUTEX_BARRIER_H_
