// Copies between memory of this process. Used for transfers whose target is
// mapped, and for the data of packets.
//
// If the size of a run is a power of two from 1 to 64 bytes, runs are copied by
// moves of constant size in counted loops. Other runs are copied by memcpy.
#ifndef VIS_COPY_H_
#define VIS_COPY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vis/lists.h"
#include "vis/strided.h"

namespace gasnet::vis {

// Calls f with the size of a run in bytes. If the size is a power of two of at
// most 64, f gets a Constant. The compiler then makes code for that size.
template <size_t N>
struct Constant {
  constexpr operator size_t() const { return N; }  // NOLINT: it is a size_t
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
// Copies a plane: rows like `row`, repeated as `outer` says.
void CopyPlane(const Row& row, const Dim& outer);
// Returns true if a plane is copied faster as a whole than row by row. This
// concerns the source: the runs of a row must be far apart, and the next row's
// runs in the same cache lines.
bool IsTransposed(const Row& row, const Dim& outer);
// Copies a whole shape.
void CopyStrided(const Strided& shape);

// Copy between two lists. If a side is mapped, CopyLists adds the displacement
// of the mapping to the side's addresses.
void CopyLists(const VectorList& to, uintptr_t to_displacement,
               const VectorList& from, uintptr_t from_displacement);
void CopyLists(const IndexedList& to, uintptr_t to_displacement,
               const IndexedList& from, uintptr_t from_displacement);

// Copies `count` runs of `run` bytes from listed addresses to consecutive
// memory.
void Gather(std::byte* to, void* const* from, size_t run, size_t count);

}  // namespace gasnet::vis

#endif  // VIS_COPY_H_
