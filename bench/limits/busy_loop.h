// Round trips between two processes that run wherever the kernel puts them, on
// a machine that others compute on: the limit of a wait that must cope with
// that.
#ifndef BENCH_LIMITS_BUSY_LOOP_H_
#define BENCH_LIMITS_BUSY_LOOP_H_

namespace gasnet::bench {

// How the two wait: asleep at once; or they look for 50 us, part where the
// other one is on the same processor, and then sleep. Of all that was tried one
// of these is best, by what they talk through and how many compute.
enum class BusyWay { kAsleep, kParting };

// Nanoseconds of a round trip, on average over so many milliseconds, through
// flags in shared memory or UDP sockets on loopback.
double BusyFlagsNanos(BusyWay way, double milliseconds);
double BusySocketsNanos(BusyWay way, double milliseconds);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_BUSY_LOOP_H_
