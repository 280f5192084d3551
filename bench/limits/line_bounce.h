// The physical limit of communication on one host: one cache line bounced
// between two processes.
#ifndef BENCH_LIMITS_LINE_BOUNCE_H_
#define BENCH_LIMITS_LINE_BOUNCE_H_

#include <cstdint>

namespace gasnet::bench {

// Nanoseconds for the line to go there and come back, between this process and
// a child that it starts on processor `cpu` (negative: any other than its own).
double LineBounceNanos(uint64_t rounds, int cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_LINE_BOUNCE_H_
