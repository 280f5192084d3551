// Puts and gets of non-contiguous memory by rank 0, to and from the memory of
// rank 1. Rank 1 waits in a barrier.
#ifndef BENCH_RANKS_PIECES_H_
#define BENCH_RANKS_PIECES_H_

#include <cstddef>
#include <cstdint>

#include "bench/harness/shapes.h"

namespace gasnet::bench {

// Return nanoseconds per blocking call.
double PutShape(const Shape& shape, uint64_t rounds);
double GetShape(const Shape& shape, uint64_t rounds);

// Functions of type Measure (row.h).
double PutWords(size_t size, uint64_t rounds);
double GetWords(size_t size, uint64_t rounds);
// Returns the nanoseconds that a strided put of one row takes in excess of a
// gasnet_put_bulk of the same size.
double OneRowBeyondPut(size_t size, uint64_t rounds);

template <const Shape& kShape>
double Put(size_t, uint64_t rounds) {
  return PutShape(kShape, rounds);
}
template <const Shape& kShape>
double Get(size_t, uint64_t rounds) {
  return GetShape(kShape, rounds);
}

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_PIECES_H_
