// The cost of copying non-contiguous memory that another process shares. The
// copies are plain hand-written loops, in which the compiler knows the length
// of each piece.
#ifndef BENCH_LIMITS_PIECE_LOOPS_H_
#define BENCH_LIMITS_PIECE_LOOPS_H_

#include <cstdint>

#include "bench/harness/shapes.h"

namespace gasnet::bench {

// Return nanoseconds per copy of a shape: ShapeInNanos into shared memory,
// ShapeOutNanos out of it.
double ShapeInNanos(const Shape& shape, uint64_t rounds);
double ShapeOutNanos(const Shape& shape, uint64_t rounds);
double WordsInNanos(uint64_t rounds);
double WordsOutNanos(uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_PIECE_LOOPS_H_
