// Round trips between two processes that run wherever the kernel puts them, on
// a machine with other load: the limit of a wait that must cope with that.
#ifndef BENCH_LIMITS_BUSY_LOOP_H_
#define BENCH_LIMITS_BUSY_LOOP_H_

namespace gasnet::bench {

// The way in which the two processes wait: asleep at once; or polling for 50
// us, moving apart if they share a processor, and then asleep. One of these was
// the best of all tried ways, depending on the medium and the load.
enum class BusyWay { kAsleep, kParting };

// Return the average nanoseconds of a round trip in a run of so many
// milliseconds, through flags in shared memory or UDP sockets on loopback.
double BusyFlagsNanos(BusyWay way, double milliseconds);
double BusySocketsNanos(BusyWay way, double milliseconds);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_BUSY_LOOP_H_
