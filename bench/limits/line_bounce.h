// The physical lower bound for communication on one host: one cache line
// bounced between two processes.
#ifndef BENCH_LIMITS_LINE_BOUNCE_H_
#define BENCH_LIMITS_LINE_BOUNCE_H_

#include <cstdint>

namespace gasnet::bench {

// Returns nanoseconds for a round trip of the line between this process and a
// child. The child runs on processor `cpu`. If `cpu` is negative, the child
// runs on any processor except this process's own.
double LineBounceNanos(uint64_t rounds, int cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_LINE_BOUNCE_H_
