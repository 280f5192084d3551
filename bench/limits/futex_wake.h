// The limit of a wait that gives its processor up: waking a sleeping process.
#ifndef BENCH_LIMITS_FUTEX_WAKE_H_
#define BENCH_LIMITS_FUTEX_WAKE_H_

#include <cstdint>

namespace gasnet::bench {

// Nanoseconds for two wake-ups, there and back, between this process and a
// child that it starts on processor `cpu` (negative: any other than its own).
// Each sleeps until the other wakes it.
double FutexWakeNanos(uint64_t rounds, int cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_FUTEX_WAKE_H_
