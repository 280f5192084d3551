// Tests of the layouts of the shared memory and of a message.
#include "core/hostshm/layout.h"
#include "base/cache_line.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/hostshm/cell.h"
#include "core/hostshm/consumer.h"
#include "core/hostshm/producer.h"
#include "gtest/gtest.h"

namespace gasnet::hostshm {
namespace {

using am::Category;
using am::Lane;

struct Region {
  size_t at;
  size_t bytes;
};

size_t DoorbellBytes(const Layout& layout) {
  return layout.doorbell_at(1) - layout.doorbell_at(0);
}

std::vector<Region> RegionsOf(const Layout& layout) {
  std::vector<Region> regions;
  const uint32_t n = layout.ranks();
  for (uint32_t rank = 0; rank < n; ++rank) {
    regions.push_back({layout.doorbell_at(rank), DoorbellBytes(layout)});
    regions.push_back({layout.vote_at(0, rank), kCacheLine});
    regions.push_back({layout.vote_at(1, rank), kCacheLine});
    regions.push_back({layout.arrival_at(0, rank), kCacheLine});
    regions.push_back({layout.arrival_at(1, rank), kCacheLine});
    regions.push_back({layout.meeting_at(rank), kMeetingLines * kCacheLine});
  }
  for (uint32_t ring = 0; ring < 2 * n * n; ++ring) {
    const uint32_t to = ring / (2 * n);
    const uint32_t from = ring / 2 % n;
    const Lane lane = ring % 2 == 0 ? Lane::kRequest : Lane::kReply;
    regions.push_back({layout.credit_at(to, from, lane), kCacheLine});
    regions.push_back({layout.cells_at(to, from, lane), kCells * kCacheLine});
    regions.push_back(
        {layout.payload_at(to, from, lane), layout.blocks_bytes()});
  }
  return regions;
}

TEST(Layout, RegionsAreAlignedInsideAndApart) {
  for (const uint32_t ranks : {1u, 2u, 3u, 16u, 17u, 64u, 65u, 128u}) {
    const Layout layout(ranks);
    std::vector<Region> regions = RegionsOf(layout);
    std::sort(regions.begin(), regions.end(),
              [](const Region& a, const Region& b) { return a.at < b.at; });
    size_t free_from = 0;
    for (const Region& region : regions) {
      ASSERT_EQ(region.at % kCacheLine, 0u) << ranks << " ranks";
      ASSERT_GE(region.at, free_from) << ranks << " ranks";
      free_from = region.at + region.bytes;
    }
    EXPECT_LE(free_from, layout.total()) << ranks << " ranks";
    EXPECT_EQ(layout.total() % kPage, 0u) << ranks << " ranks";
  }
}

TEST(Layout, PayloadIsAPowerOfTwoWithinItsLimits) {
  for (uint32_t ranks = 1; ranks <= 1024; ++ranks) {
    const size_t bytes = Layout(ranks).payload_bytes();
    ASSERT_TRUE(std::has_single_bit(bytes)) << ranks << " ranks";
    ASSERT_GE(bytes, kMinPayload);
    ASSERT_LE(bytes, kMaxPayload);
  }
}

TEST(Layout, PreparedBlocksTakeTheLargestMedium) {
  for (const uint32_t ranks : {1u, 2u, 16u, 30u}) {
    ASSERT_GE(Layout(ranks).prepared_bytes(), kMaxHostMedium + kArgsBlock)
        << ranks << " ranks";
  }
  for (const uint32_t ranks : {64u, 1000u}) {
    ASSERT_EQ(Layout(ranks).prepared_bytes(), 0u) << ranks << " ranks";
  }
}

TEST(Layout, TotalStaysWithinTheBudget) {
  for (uint32_t ranks = 1; ranks <= 128; ++ranks) {
    ASSERT_LT(Layout(ranks).total(), size_t{1300} << 20) << ranks << " ranks";
  }
}

TEST(Layout, HasAPendingBitForEveryRank) {
  for (const uint32_t ranks : {1u, 63u, 64u, 65u, 128u, 129u}) {
    const Layout layout(ranks);
    EXPECT_GE(layout.pending_words() * 64, ranks);
    EXPECT_GE(DoorbellBytes(layout),
              kCacheLine + am::kLanes * layout.pending_words() * 8);
  }
}

// Marks [at, at + bytes) in a message part of `limit` bytes as used. Fails if
// one of these bytes is already marked or beyond the end.
void Occupy(std::vector<bool>& used, size_t at, size_t bytes, size_t limit) {
  ASSERT_LE(at + bytes, limit);
  for (size_t i = at; i < at + bytes; ++i) {
    ASSERT_FALSE(used[i]) << "byte " << i << " belongs to two parts";
    used[i] = true;
  }
}

void CheckPlacement(Category category, unsigned num_args, size_t carried) {
  const CellPlacement at = CellPlacement::Of(category, num_args, carried);
  std::vector<bool> cell(kCacheLine), block(at.block_bytes);
  Occupy(cell, 0, 8, kCacheLine);
  if (category == Category::kLong) Occupy(cell, 8, 8, kCacheLine);
  if (at.spilled) Occupy(cell, at.block_at, 8, kCacheLine);
  Occupy(at.args_spilled ? block : cell, at.args_at, num_args * 4,
         at.args_spilled ? block.size() : kCacheLine);
  EXPECT_EQ(at.args_at % 4, 0u);
  if (carried > 0) {
    EXPECT_EQ(at.payload_at % kPayloadAlignment, 0u);
    Occupy(at.spilled ? block : cell, at.payload_at, carried,
           at.spilled ? block.size() : kCacheLine);
  }
  EXPECT_EQ(at.spilled, at.block_bytes > 0);
  EXPECT_TRUE(at.spilled || !at.args_spilled);
  EXPECT_LE(at.block_bytes, carried + kArgsBlock);
}

TEST(CellPlacement, PartsNeverOverlap) {
  for (const Category category :
       {Category::kShort, Category::kMedium, Category::kLong}) {
    for (unsigned num_args = 0; num_args <= am::kMaxArgs; ++num_args) {
      const size_t most = category == Category::kShort ? 0 : 300;
      for (size_t carried = 0; carried <= most; ++carried) {
        SCOPED_TRACE(testing::Message()
                     << "category " << static_cast<int>(category) << ", "
                     << num_args << " arguments, " << carried << " bytes");
        CheckPlacement(category, num_args, carried);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(CellPlacement, SmallMessagesTakeTheCellAlone) {
  EXPECT_FALSE(CellPlacement::Of(Category::kShort, 14, 0).spilled);
  EXPECT_TRUE(CellPlacement::Of(Category::kShort, 15, 0).spilled);
  EXPECT_FALSE(CellPlacement::Of(Category::kMedium, 2, 48).spilled);
  EXPECT_TRUE(CellPlacement::Of(Category::kMedium, 2, 49).spilled);
  EXPECT_FALSE(CellPlacement::Of(Category::kLong, 12, 0).spilled);
  EXPECT_TRUE(CellPlacement::Of(Category::kLong, 13, 0).spilled);
}

TEST(CellHeader, UnpacksWhatWasPacked) {
  for (unsigned bits = 0; bits < 12; ++bits) {
    for (const uint32_t nbytes : {0u, 1u, 65536u, 0x7fffffffu, ~0u}) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        const CellHeader in{static_cast<uint8_t>(byte),
                            static_cast<uint8_t>(byte * 7 + 1),
                            static_cast<uint8_t>(byte % 17),
                            static_cast<Category>(bits % 3),
                            bits / 3 % 2 != 0,
                            bits / 6 != 0,
                            nbytes};
        const CellHeader out = CellHeader::Unpack(in.Pack());
        ASSERT_EQ(static_cast<uint8_t>(in.Pack()), in.lap);
        ASSERT_EQ(out.lap, in.lap);
        ASSERT_EQ(out.handler, in.handler);
        ASSERT_EQ(out.num_args, in.num_args);
        ASSERT_EQ(out.category, in.category);
        ASSERT_EQ(out.spilled, in.spilled);
        ASSERT_EQ(out.carried, in.carried);
        ASSERT_EQ(out.nbytes, in.nbytes);
      }
    }
  }
}

TEST(Lap, ChangesWithEveryRoundAndStartsNonZero) {
  EXPECT_NE(LapOf(0), 0);
  for (uint32_t index = 0; index < 1000 * kCells; ++index) {
    ASSERT_NE(LapOf(index), LapOf(index + kCells));
    ASSERT_EQ(LapOf(index), LapOf(index / kCells * kCells));
  }
  // Counters may also overflow.
  EXPECT_NE(LapOf(~0u), LapOf(~0u + kCells));
}

// Every process has one Producer and one Consumer for each lane of each
// co-located rank. These objects add to the library's memory for each rank, and
// every poll reads them: raise the limits only for a good reason.
TEST(StatePerPeer, StaysSmall) {
  EXPECT_LE(sizeof(Producer), 328u);
  EXPECT_LE(sizeof(Consumer), 64u);
}

}  // namespace
}  // namespace gasnet::hostshm
