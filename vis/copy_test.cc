// Compares copies with loops over bytes. The strided shapes have their levels
// in a different order on each side. Their counts are all those around the size
// of the squares (tuning.h) that transpositions copy. The lists are of all
// kinds.
#include "vis/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "vis/lists.h"
#include "vis/strided.h"

namespace gasnet::vis {
namespace {

using Bytes = std::vector<std::byte>;
using Random = std::minstd_rand;

size_t Below(Random& random, size_t end) { return random() % end; }

struct Shape {
  std::vector<size_t> count;  // has levels + 1 elements
  std::vector<size_t> to_strides, from_strides;
  size_t levels() const { return count.size() - 1; }
};

// Returns strides without overlap, with the levels nested in any order. gap()
// returns the bytes to leave free after each level.
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
  CopyStrided(Strided(WithoutSigns(to.data() + 8, shape.to_strides.data(),
                                   from.data(), shape.from_strides.data(),
                                   shape.count.data(), shape.levels())));
  EXPECT_TRUE(to == wanted);
}

constexpr size_t kRuns[] = {1, 2, 3, 4, 8, 12, 16, 32, 63, 64, 65};

// The sources of neighbouring destinations are far apart.
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

// --- Lists ---

constexpr size_t kBytes = 20'000;

// The displacement of mapped memory. The addresses in a list do not include it.
constexpr uintptr_t kElsewhere = 0x123456;
void* Elsewhere(const std::byte* address) {
  return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(address) -
                                 kElsewhere);
}

// Returns the offset of each entry. The entries lie in any order, with gaps
// between them.
std::vector<size_t> AnyPlaces(const std::vector<size_t>& lengths,
                              Random& random) {
  std::vector<size_t> order(lengths.size()), places(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  size_t at = 0;
  for (const size_t entry : order) {
    places[entry] = at + Below(random, 2);
    at = places[entry] + lengths[entry];
  }
  return places;
}

struct Side {
  std::vector<size_t> lengths, places;

  std::vector<size_t> stream() const {
    std::vector<size_t> all;
    for (size_t i = 0; i < lengths.size(); ++i) {
      for (size_t j = 0; j < lengths[i]; ++j) all.push_back(places[i] + j);
    }
    return all;
  }
};
Side AnySide(std::vector<size_t> lengths, Random& random) {
  Side side = {std::move(lengths), {}};
  side.places = AnyPlaces(side.lengths, random);
  return side;
}

// Calls copy(to, from). Compares the result with a copy byte by byte from the
// stream of one side to the stream of the other.
template <class Copy>
void ExpectListsCopied(const Side& to, const Side& from, Copy copy) {
  Bytes source(kBytes);
  Random random(7);
  for (std::byte& byte : source) byte = static_cast<std::byte>(random() >> 8);
  Bytes wanted(kBytes, std::byte{0xee});
  Bytes target = wanted;
  const std::vector<size_t> into = to.stream(), out = from.stream();
  ASSERT_EQ(into.size(), out.size());
  for (size_t i = 0; i < into.size(); ++i) wanted[into[i]] = source[out[i]];
  copy(target.data(), source.data());
  EXPECT_TRUE(target == wanted);
}

std::vector<VectorEntry> VectorsOf(const Side& side, std::byte* base,
                                   bool elsewhere) {
  std::vector<VectorEntry> list;
  for (size_t i = 0; i < side.lengths.size(); ++i) {
    std::byte* const at = base + side.places[i];
    list.push_back({elsewhere ? Elsewhere(at) : at, side.lengths[i]});
    if (side.lengths[i] == 0) list.back().addr = nullptr;
  }
  return list;
}

// The first entries have equal lengths on both sides. Later entries do not.
TEST(CopyLists, CopiesVectors) {
  constexpr size_t kLengths[] = {0, 1, 2, 3, 8, 16, 64, 100};
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    std::vector<size_t> ours, theirs;
    for (size_t i = Below(random, 50); i > 0; --i) {
      ours.push_back(kLengths[Below(random, std::size(kLengths))]);
    }
    theirs = ours;
    for (size_t i = Below(random, 50); i > 0; --i) {
      const size_t part = kLengths[Below(random, std::size(kLengths))];
      const size_t rest = kLengths[Below(random, std::size(kLengths))];
      ours.insert(ours.end(), {part, rest});
      theirs.push_back(part + rest);
    }
    const Side to = AnySide(ours, random), from = AnySide(theirs, random);
    for (const bool puts : {true, false}) {
      ExpectListsCopied(to, from, [&](std::byte* into, std::byte* out) {
        const auto to_list = VectorsOf(to, into, puts);
        const auto from_list = VectorsOf(from, out, !puts);
        CopyLists(VectorList{to_list.data(), to_list.size()},
                  puts ? kElsewhere : 0,
                  VectorList{from_list.data(), from_list.size()},
                  puts ? 0 : kElsewhere);
      });
    }
  }
}

// Both sides have runs of one length, or of two lengths, or a side has one
// entry.
TEST(CopyLists, CopiesIndexed) {
  for (const size_t run : kRuns) {
    for (const size_t parts : {1, 3, 60}) {
      for (const bool split_to : {true, false}) {
        SCOPED_TRACE(testing::Message() << run << " bytes, " << parts);
        Random random(static_cast<unsigned>(run));
        const size_t entries = parts == 60 ? 1 : 60 / parts;
        Side to = AnySide(std::vector(60, run), random);
        Side from = AnySide(std::vector(entries, run * 60 / entries), random);
        if (!split_to) std::swap(to, from);
        const auto pointers = [](const Side& side, std::byte* base,
                                 bool elsewhere) {
          std::vector<void*> list;
          for (const size_t place : side.places) {
            list.push_back(elsewhere ? Elsewhere(base + place) : base + place);
          }
          return list;
        };
        ExpectListsCopied(to, from, [&](std::byte* into, std::byte* out) {
          const auto to_list = pointers(to, into, true);
          const auto from_list = pointers(from, out, false);
          CopyLists(
              IndexedList{to_list.data(), to_list.size(), to.lengths[0]},
              kElsewhere,
              IndexedList{from_list.data(), from_list.size(), from.lengths[0]},
              0);
        });
      }
    }
  }
}

}  // namespace
}  // namespace gasnet::vis
