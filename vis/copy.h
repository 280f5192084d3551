// Copies between memory of this process: transfers whose target is mapped, and
// the data of packets.
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

// Calls f with the number of bytes of a run. It is a constant if that is a
// power of two of at most 64, so that f is compiled for it.
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
// Copies rows of one form, at the distance that outer tells.
void CopyPlane(const Row& row, const Dim& outer);
// Returns true if a plane is copied faster as a whole than row by row: the runs
// of a row lie far apart at the source, those of the next row in the same cache
// lines.
bool IsTransposed(const Row& row, const Dim& outer);
// Copies a whole shape.
void CopyStrided(const Strided& shape);

// Copy lists. The displacement of a mapped side is added to its addresses.
void CopyLists(const VectorList& to, uintptr_t to_displacement,
               const VectorList& from, uintptr_t from_displacement);
void CopyLists(const IndexedList& to, uintptr_t to_displacement,
               const IndexedList& from, uintptr_t from_displacement);

// Copies `count` runs of `run` bytes from listed addresses to consecutive
// memory.
void Gather(std::byte* to, void* const* from, size_t run, size_t count);

}  // namespace gasnet::vis

#endif  // VIS_COPY_H_
