// The normal form of a strided transfer: both sides as one set of nested loops
// over runs of bytes that are contiguous on both.
//
//   count[0] bytes, count[1] times, ...      the call's levels
//
//   run, dims[0], dims[1], ...               the normal form, innermost first
//
// The normal form has no levels of one repetition, and is in the order of the
// destination's strides. A level whose steps continue the runs, or the level
// within it, without a gap on both sides is joined to them.
//
// Both sides have the same counts, so their bytes stay matched in any order of
// the levels. The call's levels need no limit: each remaining level repeats at
// least twice, and a destination has no more bytes than there are addresses.
#ifndef VIS_STRIDED_H_
#define VIS_STRIDED_H_

#include <array>
#include <cstddef>

namespace gasnet::vis {

// One level: the number of its repetitions, and the bytes between them.
struct Dim {
  size_t count;
  size_t to_stride;
  size_t from_stride;
};
// The level of a single run.
inline constexpr Dim kOnce = {1, 0, 0};

// Both sides of a transfer, in the form of the call.
struct StridedCall {
  std::byte* to;
  const size_t* to_strides;
  const std::byte* from;
  const size_t* from_strides;
  const size_t* count;  // levels + 1
  size_t levels;
};

struct Strided {
  // The most levels that repeat: 2 to this power is the number of addresses.
  static constexpr size_t kMostDims = 64;

  explicit Strided(const StridedCall& call)
      : to(call.to), from(call.from), run(call.count[0]) {
    if (call.levels > 0) Normalize(call);
  }

  bool IsEmpty() const { return run == 0; }
  // Returns true if both sides are contiguous.
  bool IsOneRun() const { return levels == 0; }
  // Returns true if one side, named by its stride, is contiguous in the order
  // of the levels.
  bool IsContiguous(size_t Dim::*stride) const;
  size_t nbytes() const;

  std::byte* to;
  const std::byte* from;
  size_t run;                       // bytes
  size_t levels = 0;                // of dims
  std::array<Dim, kMostDims> dims;  // the first `levels` ones are set

 private:
  void Normalize(const StridedCall& call);
  void Insert(const Dim& dim);
  void Fold();
};

// A row of runs, on both sides.
struct Row {
  std::byte* to;
  size_t to_stride;
  const std::byte* from;
  size_t from_stride;
  size_t run;
  size_t count;
};

// Calls f with each row of the shape: the innermost level, for each repetition
// of the others.
template <class F>
void ForEachRow(const Strided& shape, F f) {
  if (shape.IsEmpty()) return;
  std::array<size_t, Strided::kMostDims> at = {};
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
      row.to -= dim.count * dim.to_stride;
      row.from -= dim.count * dim.from_stride;
    }
    if (level >= shape.levels) return;
  }
}

}  // namespace gasnet::vis

#endif  // VIS_STRIDED_H_
