// The physical limit of communication on one host: one cache line bounced
// between two processes.
#ifndef BENCH_LINE_BOUNCE_H_
#define BENCH_LINE_BOUNCE_H_

namespace gasnet::bench {

// Nanoseconds for the line to go there and come back, between this process and
// a child that it starts on another processor. `rounds` of them are averaged.
double LineBounceNanos(int rounds);

}  // namespace gasnet::bench

#endif  // BENCH_LINE_BOUNCE_H_
