// Non-contiguous memory in MPI. The derived datatypes are made and committed
// once. The transfers are between ranks 0 and 1. Each transfer is complete at
// the target before the next begins.
#ifndef BENCH_PEERS_MPI_PIECES_H_
#define BENCH_PEERS_MPI_PIECES_H_

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "bench/harness/shapes.h"

namespace gasnet::bench {

struct MpiSides {
  MPI_Datatype to;
  MPI_Datatype from;
};

MpiSides SidesOf(const Shape& shape);

// Return nanoseconds per transfer. MpiSendPieces sends messages; the receiver
// answers each with a message of one word.
double MpiPutPieces(const MpiSides& sides, uint64_t rounds);
double MpiGetPieces(const MpiSides& sides, uint64_t rounds);
double MpiSendPieces(const MpiSides& sides, uint64_t rounds);

// Functions of type Measure (row.h).
double MpiPutWords(size_t size, uint64_t rounds);
double MpiGetWords(size_t size, uint64_t rounds);
double MpiSendWords(size_t size, uint64_t rounds);

template <const Shape& kShape>
const MpiSides& SidesOf() {
  static const MpiSides sides = SidesOf(kShape);
  return sides;
}
template <const Shape& kShape>
double MpiPut(size_t, uint64_t rounds) {
  return MpiPutPieces(SidesOf<kShape>(), rounds);
}
template <const Shape& kShape>
double MpiGet(size_t, uint64_t rounds) {
  return MpiGetPieces(SidesOf<kShape>(), rounds);
}
template <const Shape& kShape>
double MpiSend(size_t, uint64_t rounds) {
  return MpiSendPieces(SidesOf<kShape>(), rounds);
}

}  // namespace gasnet::bench

#endif  // BENCH_PEERS_MPI_PIECES_H_
