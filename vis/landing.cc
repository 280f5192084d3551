#include "vis/landing.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "vis/copy.h"

namespace gasnet::vis {
namespace {

void ScatterTo(const Strided& shape, uint64_t offset, const std::byte* data,
               size_t nbytes) {
  std::array<size_t, Strided::kMaxDims> at;
  uint64_t number = offset / shape.run;
  size_t left = nbytes / shape.run;
  for (size_t level = 0; level < shape.levels; ++level) {
    at[level] = number % shape.dims[level].count;
    number /= shape.dims[level].count;
  }
  const Dim inner = shape.IsOneRun() ? kOnce : shape.dims[0];
  if (shape.IsOneRun()) at[0] = 0;
  while (left > 0) {
    std::byte* to = shape.to + Steps(at[0], inner.to_stride);
    for (size_t level = 1; level < shape.levels; ++level) {
      to += Steps(at[level], shape.dims[level].to_stride);
    }
    const size_t count = std::min(left, inner.count - at[0]);
    CopyRow(Scattered(to, inner.to_stride, data, shape.run, count));
    data += count * shape.run;
    left -= count;
    at[0] = 0;
    for (size_t level = 1; level < shape.levels; ++level) {
      if (++at[level] < shape.dims[level].count) break;
      at[level] = 0;
    }
  }
}

// Scatters data to a list, from byte `done` of entry `at` on.
template <class List>
void ScatterTo(const List& list, size_t at, size_t done, const std::byte* data,
               size_t nbytes) {
  for (; nbytes > 0; ++at, done = 0) {
    const size_t part = std::min(list.run(at) - done, nbytes);
    if (part == 0) continue;
    std::memcpy(list.address(at) + done, data, part);
    data += part;
    nbytes -= part;
  }
}

}  // namespace

ScatterLanding::Ended ScatterLanding::Ends(const VectorList& to) {
  Ended ended = {to, {}};
  ended.ends.reserve(to.count);
  uint64_t end = 0;
  for (size_t i = 0; i < to.count; ++i) {
    end += to.run(i);
    ended.ends.push_back(end);
  }
  return ended;
}

void ScatterLanding::Scatter(uint64_t offset, const std::byte* data,
                             size_t nbytes) const {
  if (const auto* const shape = std::get_if<Strided>(&to_)) {
    ScatterTo(*shape, offset, data, nbytes);
  } else if (const auto* const list = std::get_if<IndexedList>(&to_)) {
    ScatterTo(*list, offset / list->length, offset % list->length, data,
              nbytes);
  } else {
    const auto& [to, ends] = std::get<Ended>(to_);
    const auto entry = std::upper_bound(ends.begin(), ends.end(), offset);
    const auto at = static_cast<size_t>(entry - ends.begin());
    ScatterTo(to, at, to.run(at) - (*entry - offset), data, nbytes);
  }
}

}  // namespace gasnet::vis
