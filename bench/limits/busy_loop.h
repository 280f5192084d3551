// Round trips between two processes that run wherever the kernel puts them, on
// a machine with other load. This is the limit of a wait that must cope with
// such load.
#ifndef BENCH_LIMITS_BUSY_LOOP_H_
#define BENCH_LIMITS_BUSY_LOOP_H_

namespace gasnet::bench {

// The way in which the two processes wait. kAsleep sleeps at once. kParting
// spins for 20 us. Then it yields, and moves apart if the two share a
// processor. It sleeps once it has polled for 10 ms, or earlier if another
// process computes here. Depending on the medium and the load, one of these two
// was the best of all tried ways.
enum class BusyWay { kAsleep, kParting };

// Return the average nanoseconds of a round trip in a run of that many
// milliseconds, through flags in shared memory or through UDP sockets on
// loopback.
double BusyFlagsNanos(BusyWay way, double milliseconds);
double BusySocketsNanos(BusyWay way, double milliseconds);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_BUSY_LOOP_H_
