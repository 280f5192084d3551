#include "bench/peers/mpi_pieces.h"

#include <vector>

#include "bench/limits/memory_loops.h"
#include "bench/peers/mpi_rma.h"
#include "bench/peers/mpi_two_sided.h"

namespace gasnet::bench {
namespace {

MPI_Datatype Committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

// Returns the datatype of the source or the target. In all shapes, rows consist
// of whole words.
MPI_Datatype TypeOf(const Shape& shape, const size_t* strides) {
  MPI_Datatype type;
  MPI_Type_contiguous(static_cast<int>(shape.counts[0] / sizeof(double)),
                      MPI_DOUBLE, &type);
  for (size_t i = 0; i < shape.levels; ++i) {
    MPI_Type_create_hvector(static_cast<int>(shape.counts[i + 1]), 1,
                            static_cast<MPI_Aint>(strides[i]), type, &type);
  }
  return Committed(type);
}

MPI_Datatype WordsAt(size_t (*index)(size_t)) {
  std::vector<int> places(kIndexedWords);
  for (size_t i = 0; i < kIndexedWords; ++i) {
    places[i] = static_cast<int>(index(i));
  }
  MPI_Datatype type;
  MPI_Type_create_indexed_block(static_cast<int>(kIndexedWords), 1,
                                places.data(), MPI_DOUBLE, &type);
  return Committed(type);
}

const MpiSides& Words() {
  static const MpiSides sides = {WordsAt(IndexOfTarget),
                                 WordsAt(IndexOfSource)};
  return sides;
}

}  // namespace

MpiSides SidesOf(const Shape& shape) {
  return {TypeOf(shape, shape.to), TypeOf(shape, shape.from)};
}

double MpiPutPieces(const MpiSides& sides, uint64_t rounds) {
  return EachFlushed(rounds, [&](MPI_Win window) {
    MPI_Put(PiecesBuffer(), 1, sides.from, kMpiTarget, 0, 1, sides.to, window);
  });
}

double MpiGetPieces(const MpiSides& sides, uint64_t rounds) {
  return EachFlushed(rounds, [&](MPI_Win window) {
    MPI_Get(PiecesBuffer(), 1, sides.to, kMpiTarget, 0, 1, sides.from, window);
  });
}

double MpiSendPieces(const MpiSides& sides, uint64_t rounds) {
  return EachAnswered(
      rounds,
      [&] { MPI_Send(PiecesBuffer(), 1, sides.from, 1, 0, MPI_COMM_WORLD); },
      [&] {
        MPI_Recv(PiecesBuffer(), 1, sides.to, 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      });
}

double MpiPutWords(size_t, uint64_t rounds) {
  return MpiPutPieces(Words(), rounds);
}
double MpiGetWords(size_t, uint64_t rounds) {
  return MpiGetPieces(Words(), rounds);
}
double MpiSendWords(size_t, uint64_t rounds) {
  return MpiSendPieces(Words(), rounds);
}

}  // namespace gasnet::bench
