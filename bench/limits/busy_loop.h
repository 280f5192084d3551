// Round trips between two processes on a machine with other load. The kernel
// chooses their processors. This is the baseline for waits on a loaded machine.
#ifndef BENCH_LIMITS_BUSY_LOOP_H_
#define BENCH_LIMITS_BUSY_LOOP_H_

namespace gasnet::bench {

// The way in which the two processes wait. kAsleep sleeps at once. kParting
// spins for 20 us. Then it yields, and moves to another processor if the two
// processes share one. It sleeps once it has polled for 10 ms, or earlier if
// another process computes on its processor. The faster of these two ways
// depends on the medium and the load.
enum class BusyWay { kAsleep, kParting };

// Return the average nanoseconds of a round trip in a run of `milliseconds`.
// BusyFlagsNanos uses flags in shared memory, BusySocketsNanos uses UDP sockets
// on loopback.
double BusyFlagsNanos(BusyWay way, double milliseconds);
double BusySocketsNanos(BusyWay way, double milliseconds);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_BUSY_LOOP_H_
