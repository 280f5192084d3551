// Tests the normal form: levels that are dropped, sorted and joined.
#include "vis/strided.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace gasnet::vis {
namespace {

struct Call {
  std::vector<size_t> count;
  std::vector<size_t> to;
  std::vector<size_t> from;
};

Strided Normal(const Call& call) {
  return Strided(WithoutSigns(nullptr, call.to.data(), nullptr,
                              call.from.data(), call.count.data(),
                              call.to.size()));
}

// Returns the normal form as "run; count x to/from; ...".
std::string Text(const Call& call) {
  const Strided shape = Normal(call);
  std::string text = absl::StrCat(shape.run);
  for (size_t i = 0; i < shape.levels; ++i) {
    const Dim& dim = shape.dims[i];
    absl::StrAppend(&text, "; ", dim.count, " x ", dim.to_stride, "/",
                    dim.from_stride);
  }
  return text;
}

TEST(StridedTest, NoLevelsAreOneRun) {
  EXPECT_EQ(Text({{8}, {}, {}}), "8");
  EXPECT_TRUE(Normal({{8}, {}, {}}).IsOneRun());
}

TEST(StridedTest, OneRepetitionIsNoLevel) {
  EXPECT_EQ(Text({{8, 1, 3, 1}, {99, 16, 5}, {99, 32, 7}}), "8; 3 x 16/32");
}

TEST(StridedTest, NoRepetitionIsNothing) {
  EXPECT_TRUE(Normal({{8, 0, 3}, {16, 160}, {16, 160}}).IsEmpty());
  EXPECT_TRUE(Normal({{8, 3, 0}, {16, 160}, {16, 160}}).IsEmpty());
  EXPECT_TRUE(Normal({{0, 2, 3}, {16, 160}, {16, 160}}).IsEmpty());
  EXPECT_FALSE(Normal({{8, 2, 3}, {16, 160}, {16, 160}}).IsEmpty());
}

TEST(StridedTest, LevelsGoByTheDestination) {
  EXPECT_EQ(Text({{8, 3, 2}, {1000, 16}, {16, 1000}}),
            "8; 2 x 16/1000; 3 x 1000/16");
  EXPECT_EQ(Text({{8, 3, 2}, {16, 16}, {50, 20}}), "8; 2 x 16/20; 3 x 16/50");
}

TEST(StridedTest, WhatGoesOnWithoutAGapIsJoined) {
  EXPECT_EQ(Text({{8, 3, 2}, {8, 24}, {8, 24}}), "48");
  EXPECT_EQ(Text({{8, 3, 2}, {8, 32}, {8, 40}}), "24; 2 x 32/40");
  EXPECT_EQ(Text({{8, 3, 2}, {16, 48}, {32, 96}}), "8; 6 x 16/32");
  // Levels that are contiguous on only one side are not joined.
  EXPECT_EQ(Text({{8, 3}, {8}, {16}}), "8; 3 x 8/16");
  EXPECT_EQ(Text({{8, 3, 2}, {16, 48}, {32, 100}}), "8; 3 x 16/32; 2 x 48/100");
}

TEST(StridedTest, ASideMayBeContiguousAlone) {
  const auto sides = [](const Call& call) {
    const Strided shape = Normal(call);
    return std::pair(shape.IsContiguous(&Dim::to_stride),
                     shape.IsContiguous(&Dim::from_stride));
  };
  EXPECT_EQ(sides({{8}, {}, {}}), std::pair(true, true));
  EXPECT_EQ(sides({{8, 3}, {8}, {9}}), std::pair(true, false));
  EXPECT_EQ(sides({{8, 3}, {9}, {8}}), std::pair(false, true));
  EXPECT_EQ(sides({{8, 3, 4}, {8, 24}, {16, 99}}), std::pair(true, false));
  EXPECT_EQ(sides({{8, 3, 4}, {8, 25}, {16, 99}}), std::pair(false, false));
  // The levels cover all bytes of an extent, but in another order.
  EXPECT_EQ(sides({{8, 3, 4}, {99, 8}, {8, 24}}), std::pair(false, false));
}

// The call has more levels than any memory has room for, but most levels do not
// repeat.
TEST(StridedTest, ThereMayBeAnyNumberOfLevels) {
  Call call = {{4}, {}, {}};
  for (size_t level = 1; level <= 100; ++level) {
    call.count.push_back(level % 20 == 0 ? 2 : 1);
    call.to.push_back(level * level);
    call.from.push_back(2 * level * level);
  }
  EXPECT_EQ(Text(call),
            "4; 2 x 400/800; 2 x 1600/3200; 2 x 3600/7200; 2 x 6400/12800; "
            "2 x 10000/20000");
  for (size_t& count : call.count) count = 2;
  EXPECT_DEATH(Normal(call), "more than 64 levels with counts above 1");
}

TEST(StridedTest, ALevelThatDescendsAtTheDestinationBeginsAtItsOtherEnd) {
  std::vector<std::byte> memory(100);
  std::byte* const at = &memory[50];
  const ptrdiff_t to[] = {-8, 16}, from[] = {-8, -16};
  const size_t count[] = {2, 3};
  const Strided shape({at, to, at, from, 8, count, 2});
  ASSERT_EQ(shape.levels, 1u);
  EXPECT_EQ(shape.run, 16u);
  EXPECT_EQ(shape.dims[0].to_stride, 16);
  EXPECT_EQ(shape.dims[0].from_stride, -16);
  EXPECT_EQ(shape.to, at - 8);
  EXPECT_EQ(shape.from, at - 8);
}

TEST(StridedTest, NoBytesNeedNoArrays) {
  EXPECT_TRUE(StridedCall({nullptr, nullptr, nullptr, nullptr, 0, nullptr, 9})
                  .IsEmpty());
}

TEST(StridedTest, RowsAreAllRepetitionsOfTheInnermostLevel) {
  const std::vector<size_t> count = {4, 3, 2, 2};
  const std::vector<size_t> to = {10, 100, 1000}, from = {20, 200, 2000};
  std::vector<std::byte> base(1);
  const Strided shape(WithoutSigns(base.data(), to.data(), base.data(),
                                   from.data(), count.data(), 3));
  EXPECT_EQ(shape.nbytes(), 48u);
  std::vector<ptrdiff_t> rows;
  ForEachRow(shape, [&](const Row& row) {
    EXPECT_EQ(row.count, 3u);
    EXPECT_EQ(row.run, 4u);
    EXPECT_EQ(2 * (row.to - base.data()), row.from - base.data());
    rows.push_back(row.to - base.data());
  });
  EXPECT_EQ(rows, (std::vector<ptrdiff_t>{0, 100, 1000, 1100}));
}

}  // namespace
}  // namespace gasnet::vis
