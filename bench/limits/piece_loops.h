// The cost of memory in pieces that another process shares: plain loops, as one
// would write them by hand, that know how long a piece is.
#ifndef BENCH_LIMITS_PIECE_LOOPS_H_
#define BENCH_LIMITS_PIECE_LOOPS_H_

#include <cstdint>

#include "bench/harness/shapes.h"

namespace gasnet::bench {

// Nanoseconds for each copy into, or out of, shared memory.
double ShapeInNanos(const Shape& shape, uint64_t rounds);
double ShapeOutNanos(const Shape& shape, uint64_t rounds);
double WordsInNanos(uint64_t rounds);
double WordsOutNanos(uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_PIECE_LOOPS_H_
