#include "vis/strided.h"

#include <algorithm>

#include "base/log.h"

namespace gasnet::vis {
namespace {

bool IsInside(const Dim& a, const Dim& b) {
  return a.to_stride != b.to_stride ? a.to_stride < b.to_stride
                                    : a.from_stride < b.from_stride;
}

}  // namespace

void Strided::Normalize(const StridedCall& call) {
  for (size_t level = 0; level < call.levels && run > 0; ++level) {
    const size_t count = call.count[level];
    if (count == 0) {
      run = 0;
    } else if (count > 1) {
      Insert({count, call.to_strides[level], call.from_strides[level]});
    }
  }
  if (run > 0) Fold();
}

void Strided::Insert(Dim dim) {
  if (levels == kMaxDims) {
    Fatal(
        "a strided transfer has more than %zu levels with counts above 1: no "
        "destination has as many bytes",
        kMaxDims);
  }
  if (dim.to_stride < 0) {
    to += Steps(dim.count - 1, dim.to_stride);
    from += Steps(dim.count - 1, dim.from_stride);
    dim = {dim.count, -dim.to_stride, -dim.from_stride};
  }
  size_t at = levels++;
  for (; at > 0 && IsInside(dim, dims[at - 1]); --at) dims[at] = dims[at - 1];
  dims[at] = dim;
}

void Strided::Fold() {
  size_t kept = 0;
  for (size_t level = 0; level < levels; ++level) {
    const Dim& dim = dims[level];
    if (const auto whole = static_cast<ptrdiff_t>(run);
        kept == 0 && dim.to_stride == whole && dim.from_stride == whole) {
      run *= dim.count;
    } else if (Dim* const inner = kept > 0 ? &dims[kept - 1] : nullptr;
               inner != nullptr &&
               dim.to_stride == Steps(inner->count, inner->to_stride) &&
               dim.from_stride == Steps(inner->count, inner->from_stride)) {
      inner->count *= dim.count;
    } else {
      dims[kept++] = dim;
    }
  }
  levels = kept;
}

bool Strided::IsContiguous(ptrdiff_t Dim::*stride) const {
  auto extent = static_cast<ptrdiff_t>(run);
  for (size_t level = 0; level < levels; ++level) {
    if (dims[level].*stride != extent) return false;
    extent = Steps(dims[level].count, extent);
  }
  return true;
}

size_t Strided::nbytes() const {
  size_t all = run;
  for (size_t level = 0; level < levels; ++level) all *= dims[level].count;
  return all;
}

}  // namespace gasnet::vis
