// Copies between memory of this process: what a transfer is where its target is
// mapped, and how packets are filled and emptied.
//
// Runs of 1 to 64 bytes, a power of two, are moves of constant size in counted
// loops; others are memcpys.
#ifndef VIS_COPY_H_
#define VIS_COPY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vis/lists.h"
#include "vis/strided.h"

namespace gasnet::vis {

// Calls f with the number of bytes of a run: a constant where that is a power
// of two of at most 64, so that f is compiled for it.
template <size_t N>
struct Constant {
  constexpr operator size_t() const { return N; }  // NOLINT: as a size_t is
};
template <class F>
void WithRun(size_t run, F f) {
  switch (run) {
    case 1:
      return f(Constant<1>());
    case 2:
      return f(Constant<2>());
    case 4:
      return f(Constant<4>());
    case 8:
      return f(Constant<8>());
    case 16:
      return f(Constant<16>());
    case 32:
      return f(Constant<32>());
    case 64:
      return f(Constant<64>());
    default:
      return f(run);
  }
}

void CopyRow(const Row& row);
// Rows of one form, so far apart.
void CopyPlane(const Row& row, const Dim& outer);
// Whether a plane is copied faster as a whole than row by row: the runs of a
// row lie far apart at the source, those of the next row in the same lines.
bool IsTransposed(const Row& row, const Dim& outer);
// Everything of a shape.
void CopyStrided(const Strided& shape);

// Of lists, each so many bytes from where it says: a side that is mapped.
void CopyLists(const VectorList& to, uintptr_t to_displacement,
               const VectorList& from, uintptr_t from_displacement);
void CopyLists(const IndexedList& to, uintptr_t to_displacement,
               const IndexedList& from, uintptr_t from_displacement);

// `count` runs of `run` bytes from listed addresses, one after the other.
void Gather(std::byte* to, void* const* from, size_t run, size_t count);

}  // namespace gasnet::vis

#endif  // VIS_COPY_H_
