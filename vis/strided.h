// The normal form of a strided transfer: one set of nested loops over runs.
// Each run is contiguous on both sides.
//
//     run bytes, count[0] times, ...      the call's levels
//     run, dims[0], dims[1], ...          the normal form, innermost first
//
// The normal form has no levels of one repetition. Its levels are in the order
// of the destination's strides. These strides are not negative: a level that
// descends at the destination starts from its other end, on both sides. A level
// joins the runs, or the level within it, if its steps continue them without a
// gap on both sides.
//
// Both sides have the same counts, so their bytes stay matched in any order of
// the levels. A call may have any number of levels, but the normal form has at
// most kMaxDims. Each of its levels repeats at least twice, and a destination
// has no more bytes than there are addresses.
#ifndef VIS_STRIDED_H_
#define VIS_STRIDED_H_

#include <array>
#include <cstddef>

namespace gasnet::vis {

// One level: the number of repetitions, and the distance between them in bytes
// on each side.
struct Dim {
  size_t count;
  ptrdiff_t to_stride;
  ptrdiff_t from_stride;
};
// A level that is not repeated.
inline constexpr Dim kOnce = {1, 0, 0};

// Returns the size of `number` steps in bytes.
inline ptrdiff_t Steps(size_t number, ptrdiff_t stride) {
  return static_cast<ptrdiff_t>(number) * stride;
}

// Both sides of a transfer, as the call describes them. If the transfer has no
// bytes, `to`, `from` and both lists of strides may be unset.
struct StridedCall {
  std::byte* to;
  const ptrdiff_t* to_strides;
  const std::byte* from;
  const ptrdiff_t* from_strides;
  size_t run;
  const size_t* count;
  size_t levels;
  // True for GASNet-EX, with signed strides; false for GASNet-1.
  bool has_signs = true;

  bool IsEmpty() const {
    bool empty = run == 0;
    for (size_t i = 0; i < levels && !empty; ++i) empty = count[i] == 0;
    return empty;
  }
};

// Returns the call for arguments of GASNet-1. count[0] is the size of a run.
inline StridedCall WithoutSigns(std::byte* to, const size_t* to_strides,
                                const std::byte* from,
                                const size_t* from_strides, const size_t* count,
                                size_t levels) {
  const auto strides = [](const size_t* of) {
    return reinterpret_cast<const ptrdiff_t*>(of);
  };
  return {to,       strides(to_strides), from,   strides(from_strides),
          count[0], count + 1,           levels, false};
}

struct Strided {
  // The maximum number of levels that repeat. Each level at least doubles the
  // number of bytes, and there are 2 to the power of kMaxDims addresses.
  static constexpr size_t kMaxDims = 64;

  explicit Strided(const StridedCall& call)
      : to(call.to), from(call.from), run(call.run) {
    if (call.levels > 0) Normalize(call);
  }

  bool IsEmpty() const { return run == 0; }
  // Returns true if both sides are contiguous.
  bool IsOneRun() const { return levels == 0; }
  // Returns true if one side is contiguous in the order of the levels. `stride`
  // selects the side.
  bool IsContiguous(ptrdiff_t Dim::*stride) const;
  size_t nbytes() const;

  std::byte* to;
  const std::byte* from;
  size_t run;                      // bytes
  size_t levels = 0;               // number of dims in use
  std::array<Dim, kMaxDims> dims;  // the first `levels` ones are set

 private:
  void Normalize(const StridedCall& call);
  void Insert(Dim dim);
  void Fold();
};

// A row of equal runs, on both sides.
struct Row {
  std::byte* to;
  ptrdiff_t to_stride;
  const std::byte* from;
  ptrdiff_t from_stride;
  size_t run;
  size_t count;

  std::byte* to_at(size_t i) const { return to + Steps(i, to_stride); }
  const std::byte* from_at(size_t i) const {
    return from + Steps(i, from_stride);
  }
};
// Gathered returns a row whose runs are adjacent at the destination. Scattered
// returns a row whose runs are adjacent at the source.
inline Row Gathered(std::byte* to, const std::byte* from, ptrdiff_t from_stride,
                    size_t run, size_t count) {
  return {to, static_cast<ptrdiff_t>(run), from, from_stride, run, count};
}
inline Row Scattered(std::byte* to, ptrdiff_t to_stride, const std::byte* from,
                     size_t run, size_t count) {
  return {to, to_stride, from, static_cast<ptrdiff_t>(run), run, count};
}

// Calls f with each row of the shape. A row is the innermost level. There is
// one row for each repetition of the outer levels.
template <class F>
void ForEachRow(const Strided& shape, F f) {
  if (shape.IsEmpty()) return;
  std::array<size_t, Strided::kMaxDims> at = {};
  const Dim inner = shape.IsOneRun() ? kOnce : shape.dims[0];
  Row row = {shape.to,          inner.to_stride, shape.from,
             inner.from_stride, shape.run,       inner.count};
  for (;;) {
    f(row);
    size_t level = 1;
    for (; level < shape.levels; ++level) {
      const Dim& dim = shape.dims[level];
      row.to += dim.to_stride;
      row.from += dim.from_stride;
      if (++at[level] < dim.count) break;
      at[level] = 0;
      row.to -= Steps(dim.count, dim.to_stride);
      row.from -= Steps(dim.count, dim.from_stride);
    }
    if (level >= shape.levels) return;
  }
}

}  // namespace gasnet::vis

#endif  // VIS_STRIDED_H_
