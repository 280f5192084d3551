// Random strided transfers for tests, and the offsets of the bytes that the
// transfers move.
#ifndef VIS_RANDOM_LEVELS_H_
#define VIS_RANDOM_LEVELS_H_

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "vis/strided.h"

namespace gasnet::vis::testing {

using Random = std::mt19937;

// The size of each side's memory, in bytes.
inline constexpr size_t kMemory = 200'000;

inline size_t Below(Random& random, size_t end) {
  return std::uniform_int_distribution<size_t>(0, end - 1)(random);
}

// The offset of each byte of a side, in the order of the side's stream.
using Stream = std::vector<size_t>;

// Levels of a strided transfer, in any order.
struct Levels {
  size_t run;
  std::vector<size_t> count;
  std::vector<ptrdiff_t> to, from;
  // The offset of the first element on each side.
  ptrdiff_t to_at = 0, from_at = 0;
};

// Returns random levels. Some levels descend on one side or on both. The
// destination never overlaps itself, but the source may.
inline Levels AnyLevels(Random& random) {
  struct Level {
    size_t count, to, from;
  };
  constexpr size_t kRuns[] = {1, 3, 8, 16, 64, 100, 900};
  const size_t run = kRuns[Below(random, std::size(kRuns))];
  size_t to_extent = run;
  size_t from_extent = run;
  std::vector<Level> levels;
  const size_t wanted = Below(random, 9);
  for (size_t i = 0; i < wanted; ++i) {
    const size_t count = 1 + Below(random, Below(random, 8) == 0 ? 40 : 4);
    const size_t to =
        to_extent + (Below(random, 2) == 0 ? 0 : Below(random, 30));
    size_t from = from_extent;
    if (Below(random, 2) == 0) from += Below(random, 30);
    if (Below(random, 8) == 0) from = Below(random, from_extent + 1);
    const size_t to_end = to_extent + to * (count - 1);
    const size_t from_end = from_extent + from * (count - 1);
    if (to_end > kMemory || from_end > kMemory) break;
    levels.push_back({count, to, from});
    to_extent = to_end;
    from_extent = from_end;
  }
  std::shuffle(levels.begin(), levels.end(), random);
  Levels all = {run, {}, {}, {}};
  for (const Level& level : levels) {
    all.count.push_back(level.count);
    const auto add = [&](size_t stride, std::vector<ptrdiff_t>& strides,
                         ptrdiff_t& at) {
      auto steps = static_cast<ptrdiff_t>(stride);
      if (Below(random, 3) == 0) {
        at += Steps(level.count - 1, steps);
        steps = -steps;
      }
      strides.push_back(steps);
    };
    add(level.to, all.to, all.to_at);
    add(level.from, all.from, all.from_at);
  }
  return all;
}

inline Stream StreamOf(const Levels& levels,
                       const std::vector<ptrdiff_t>& strides, ptrdiff_t at) {
  Stream starts = {static_cast<size_t>(at)};
  for (size_t level = levels.count.size(); level-- > 0;) {
    Stream next;
    for (const size_t start : starts) {
      for (size_t i = 0; i < levels.count[level]; ++i) {
        next.push_back(start + static_cast<size_t>(Steps(i, strides[level])));
      }
    }
    starts = next;
  }
  Stream stream;
  for (const size_t start : starts) {
    for (size_t i = 0; i < levels.run; ++i) stream.push_back(start + i);
  }
  return stream;
}

}  // namespace gasnet::vis::testing

#endif  // VIS_RANDOM_LEVELS_H_
