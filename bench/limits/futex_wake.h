// The baseline for a wait that sleeps: the time to wake a sleeping process.
#ifndef BENCH_LIMITS_FUTEX_WAKE_H_
#define BENCH_LIMITS_FUTEX_WAKE_H_

#include <cstdint>

namespace gasnet::bench {

// Returns nanoseconds for two wake-ups, there and back, between this process
// and a child. The child runs on processor `cpu`. If `cpu` is negative, the
// child runs on any processor except this process's own. Each process sleeps
// until the other one wakes it.
double FutexWakeNanos(uint64_t rounds, int cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_FUTEX_WAKE_H_
