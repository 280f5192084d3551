// Copies of strided shapes against loops over bytes: levels in an order of
// their own on each side, of all counts around the squares of transpositions.
#include "vis/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "vis/strided.h"

namespace gasnet::vis {
namespace {

using Bytes = std::vector<std::byte>;
using Random = std::minstd_rand;

size_t Below(Random& random, size_t end) { return random() % end; }

struct Shape {
  std::vector<size_t> count;  // levels + 1
  std::vector<size_t> to_strides, from_strides;
  size_t levels() const { return count.size() - 1; }
};

// Strides by which nothing overlaps, the levels nested in any order; gap() is
// left out behind each.
template <class Gap>
std::vector<size_t> AnyStrides(const Shape& shape, Random& random, Gap gap) {
  std::vector<size_t> order(shape.levels());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<size_t> strides(shape.levels());
  size_t extent = shape.count[0];
  for (const size_t level : order) {
    strides[level] = extent + gap();
    extent += (shape.count[level + 1] - 1) * strides[level];
  }
  return strides;
}

size_t ExtentOf(const Shape& shape, const std::vector<size_t>& strides) {
  size_t extent = shape.count[0];
  for (size_t level = 0; level < shape.levels(); ++level) {
    extent += (shape.count[level + 1] - 1) * strides[level];
  }
  return extent;
}

void CopyBytes(const Shape& shape, size_t level, std::byte* to,
               const std::byte* from) {
  if (level == 0) {
    std::copy_n(from, shape.count[0], to);
    return;
  }
  for (size_t i = 0; i < shape.count[level]; ++i) {
    CopyBytes(shape, level - 1, to + i * shape.to_strides[level - 1],
              from + i * shape.from_strides[level - 1]);
  }
}

void ExpectCopied(const Shape& shape) {
  Bytes from(ExtentOf(shape, shape.from_strides));
  Random random(7);
  for (std::byte& byte : from) byte = static_cast<std::byte>(random() >> 8);
  Bytes wanted(ExtentOf(shape, shape.to_strides) + 16, std::byte{0xee});
  Bytes to = wanted;
  CopyBytes(shape, shape.levels(), wanted.data() + 8, from.data());
  CopyStrided(
      Strided({to.data() + 8, shape.to_strides.data(), from.data(),
               shape.from_strides.data(), shape.count.data(), shape.levels()}));
  EXPECT_TRUE(to == wanted);
}

constexpr size_t kRuns[] = {1, 2, 3, 4, 8, 12, 16, 32, 63, 64, 65};

// Sources that lie far apart where destinations lie close together.
TEST(CopyStrided, Transposes) {
  for (const size_t run : kRuns) {
    for (const size_t rows : {2, 15, 16, 17, 33, 50}) {
      for (const size_t columns : {2, 15, 16, 17, 40}) {
        SCOPED_TRACE(testing::Message()
                     << run << " bytes, " << rows << " by " << columns);
        ExpectCopied({{run, rows, columns}, {run, run * rows}, {4096, run}});
        ExpectCopied({{run, rows, columns, 2},
                      {run + 1, (run + 1) * rows + 3, (run + 1) * rows * 64},
                      {5000, run + 2, 5000 * rows}});
      }
    }
  }
}

TEST(CopyStrided, CopiesLevelsInAnyOrder) {
  constexpr size_t kCounts[] = {1, 2, 3, 5, 17, 20};
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Shape shape;
    shape.count.push_back(kRuns[Below(random, std::size(kRuns))]);
    const size_t levels = Below(random, 5);
    for (size_t all = 1; shape.levels() < levels;) {
      const size_t most = all > 2000 ? 2 : std::size(kCounts);
      shape.count.push_back(kCounts[Below(random, most)]);
      all *= shape.count.back();
    }
    const auto gap = [&] { return Below(random, 2) * Below(random, 9); };
    shape.to_strides = AnyStrides(shape, random, gap);
    shape.from_strides = AnyStrides(shape, random, gap);
    ExpectCopied(shape);
  }
}

}  // namespace
}  // namespace gasnet::vis
