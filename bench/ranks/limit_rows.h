// The baselines (see bench/limits) as rank 0 measures them. If a baseline needs
// several processors, the other ranks sleep during the measurement. Otherwise
// they wait as they do while GASNet is measured, because the load of one
// processor affects another.
#ifndef BENCH_RANKS_LIMIT_ROWS_H_
#define BENCH_RANKS_LIMIT_ROWS_H_

#include "bench/harness/row.h"

namespace gasnet::bench {

extern const Limit
    kLineBounce;  // B: line bounce between the processors of ranks 0 and 1
extern const Limit kStoreLoop;     // 8-byte stores
extern const Limit kFencedStores;  // 8-byte stores, a fence after each
extern const Limit kLoadLoop;      // 8-byte loads
extern const Limit kCopyIn;        // memcpy to shared memory
extern const Limit kCopyOut;       // memcpy from shared memory
extern const Limit kTwoWakes;      // futex wake-ups, there and back
extern const Limit kFutexBarrier;  // barrier of as many processes as ranks
extern const Limit kUdpRoundTrip;  // U: 16-byte datagrams there and back
extern const Limit kUdpTail;       // 10 U plus the minimum datagram time-out
extern const Limit kUdpLongTrip;   // U with the row's size one way
extern const Limit kUdpStream;     // datagrams one way

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_LIMIT_ROWS_H_
