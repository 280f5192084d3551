#include "vis/copy.h"

#include <algorithm>

#include "base/cache_line.h"
#include "vis/tuning.h"

namespace gasnet::vis {
namespace {

// These functions take all arguments by value. A copy may write to any memory,
// so a value behind a reference would be loaded again for each run. The
// functions are inlined: if the row were passed in memory, the copy of a square
// (tuning.h) would take half as long again.

template <class Run>
[[gnu::always_inline]] inline void CopyRuns(Row row, Run run) {
  for (size_t i = 0; i < row.count; ++i) {
    std::memcpy(row.to, row.from, run);
    row.to += row.to_stride;
    row.from += row.from_stride;
  }
}

template <class Run>
[[gnu::always_inline]] inline void CopyRowByRow(Row row, Dim outer, Run run) {
  for (size_t i = 0; i < outer.count; ++i) {
    CopyRuns(row, run);
    row.to += outer.to_stride;
    row.from += outer.from_stride;
  }
}

template <class Run>
[[gnu::always_inline]] inline void CopyInSquares(Row row, Dim outer, Run run) {
  for (size_t i = 0; i < row.count; i += kSquare) {
    for (size_t j = 0; j < outer.count; j += kSquare) {
      Row part = row;
      part.to += Steps(i, row.to_stride) + Steps(j, outer.to_stride);
      part.from += Steps(i, row.from_stride) + Steps(j, outer.from_stride);
      part.count = std::min(kSquare, row.count - i);
      Dim rest = outer;
      rest.count = std::min(kSquare, outer.count - j);
      CopyRowByRow(part, rest, run);
    }
  }
}

template <class Run>
[[gnu::always_inline]] inline void CopyPlane(const Row& row, const Dim& outer,
                                             Run run) {
  if (IsTransposed(row, outer)) {
    CopyInSquares(row, outer, run);
  } else {
    CopyRowByRow(row, outer, run);
  }
}

// Returns the shape without its two innermost levels: the run and the outer
// levels.
Strided Outside(const Strided& shape) {
  Strided outside = shape;
  outside.levels = shape.levels - 2;
  std::copy(shape.dims.begin() + 2, shape.dims.begin() + shape.levels,
            outside.dims.begin());
  return outside;
}

template <class Run>
void CopyPlanes(const Strided& shape, Run run) {
  const Dim& inner = shape.dims[0];
  const Dim& outer = shape.dims[1];
  const auto copy = [&](std::byte* to, const std::byte* from) {
    CopyPlane({to, inner.to_stride, from, inner.from_stride, run, inner.count},
              outer, run);
  };
  if (shape.levels == 2) return copy(shape.to, shape.from);
  ForEachRow(Outside(shape), [&](const Row& planes) {
    for (size_t i = 0; i < planes.count; ++i) {
      copy(planes.to_at(i), planes.from_at(i));
    }
  });
}

size_t Magnitude(ptrdiff_t stride) {
  const auto steps = static_cast<size_t>(stride);
  return stride < 0 ? 0 - steps : steps;
}

}  // namespace

bool IsTransposed(const Row& row, const Dim& outer) {
  return row.run < kCacheLine && Magnitude(row.from_stride) >= kFar &&
         Magnitude(outer.from_stride) < kCacheLine;
}

void CopyRow(const Row& row) {
  WithRun(row.run, [&](auto run) { CopyRuns(row, run); });
}

void CopyPlane(const Row& row, const Dim& outer) {
  WithRun(row.run, [&](auto run) { CopyPlane(row, outer, run); });
}

void CopyStrided(const Strided& shape) {
  if (shape.IsEmpty()) return;
  if (shape.IsOneRun()) {
    std::memcpy(shape.to, shape.from, shape.run);
    return;
  }
  WithRun(shape.run, [&](auto run) {
    if (shape.levels > 1) return CopyPlanes(shape, run);
    const Dim& dim = shape.dims[0];
    CopyRuns(
        {shape.to, dim.to_stride, shape.from, dim.from_stride, run, dim.count},
        run);
  });
}

namespace {

std::byte* Displaced(const void* address, uintptr_t by) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<uintptr_t>(address) +
                                      by);
}

template <class List>
void CopyRuns(const List& to, uintptr_t to_displacement, const List& from,
              uintptr_t from_displacement) {
  ForEachRun(to, from,
             [&](std::byte* into, const std::byte* out, size_t nbytes) {
               std::memcpy(Displaced(into, to_displacement),
                           Displaced(out, from_displacement), nbytes);
             });
}

// Copies entry by entry. A side with one entry is contiguous.
template <class Run>
void CopyEntries(IndexedList to, uintptr_t to_displacement, IndexedList from,
                 uintptr_t from_displacement, Run run) {
  if (from.count == 1) {
    const std::byte* out = Displaced(from.list[0], from_displacement);
    for (size_t i = 0; i < to.count; ++i, out += run) {
      std::memcpy(Displaced(to.list[i], to_displacement), out, run);
    }
  } else if (to.count == 1) {
    std::byte* into = Displaced(to.list[0], to_displacement);
    for (size_t i = 0; i < from.count; ++i, into += run) {
      std::memcpy(into, Displaced(from.list[i], from_displacement), run);
    }
  } else {
    for (size_t i = 0; i < to.count; ++i) {
      std::memcpy(Displaced(to.list[i], to_displacement),
                  Displaced(from.list[i], from_displacement), run);
    }
  }
}

}  // namespace

// Copies entry by entry while the entries of both sides have equal lengths, and
// the rest as runs.
void CopyLists(const VectorList& to, uintptr_t to_displacement,
               const VectorList& from, uintptr_t from_displacement) {
  const size_t most = std::min(to.count, from.count);
  const VectorEntry* const into = to.list;
  const VectorEntry* const out = from.list;
  size_t alike = 0;
  for (; alike < most && into[alike].len == out[alike].len; ++alike) {
    if (into[alike].len == 0) continue;
    WithRun(into[alike].len, [&](auto run) {
      std::memcpy(Displaced(into[alike].addr, to_displacement),
                  Displaced(out[alike].addr, from_displacement), run);
    });
  }
  CopyRuns(to.From(alike), to_displacement, from.From(alike),
           from_displacement);
}

void CopyLists(const IndexedList& to, uintptr_t to_displacement,
               const IndexedList& from, uintptr_t from_displacement) {
  if (to.count != 1 && from.count != 1 && to.length != from.length) {
    return CopyRuns(to, to_displacement, from, from_displacement);
  }
  WithRun(std::min(to.length, from.length), [&](auto run) {
    CopyEntries(to, to_displacement, from, from_displacement, run);
  });
}

void Gather(std::byte* to, void* const* from, size_t run, size_t count) {
  WithRun(run, [&](auto nbytes) {
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(to + i * nbytes, from[i], nbytes);
    }
  });
}

}  // namespace gasnet::vis
