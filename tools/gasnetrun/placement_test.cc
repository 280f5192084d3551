#include "tools/gasnetrun/placement.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

using Numbers = std::vector<uint32_t>;

const HostList kHosts = {{"a", 0}, {"b", 0}, {"c", 0}};
const HostList kSlotted = {{"a", 3}, {"b", 1}, {"c", 2}};

Numbers HostOf(const HostList& hosts, uint32_t ranks, MapBy map_by) {
  return Place(hosts, ranks, map_by)->host_of;
}

TEST(PlacementTest, BlockKeepsNeighboursTogetherEvenly) {
  EXPECT_EQ(HostOf(kHosts, 6, MapBy::kBlock), (Numbers{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(HostOf(kHosts, 7, MapBy::kBlock), (Numbers{0, 0, 0, 1, 1, 2, 2}));
}

TEST(PlacementTest, CyclicGoesRound) {
  EXPECT_EQ(HostOf(kHosts, 5, MapBy::kCyclic), (Numbers{0, 1, 2, 0, 1}));
}

TEST(PlacementTest, SlotsFillOneHostAfterTheOther) {
  EXPECT_EQ(HostOf(kSlotted, 6, MapBy::kSlots), (Numbers{0, 0, 0, 1, 2, 2}));
  EXPECT_EQ(HostOf(kHosts, 3, MapBy::kSlots), (Numbers{0, 1, 2}));
}

TEST(PlacementTest, MoreRanksThanSlotsAreRefused) {
  const auto placed = Place(kSlotted, 7, MapBy::kSlots);
  ASSERT_FALSE(placed.ok());
  EXPECT_EQ(std::string(placed.status().message()),
            "-n is 7, but the hosts have 6 slots; accepted with --map-by "
            "slots: at most that");
}

TEST(PlacementTest, ByDefaultSlotsCountWhereTheyAreEnough) {
  EXPECT_EQ(HostOf(kSlotted, 4, MapBy::kDefault), (Numbers{0, 0, 0, 1}));
  EXPECT_EQ(HostOf(kSlotted, 9, MapBy::kDefault),
            (Numbers{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(HostOf(kHosts, 3, MapBy::kDefault), (Numbers{0, 1, 2}));
}

TEST(PlacementTest, AHostWithoutARankIsLeftOut) {
  for (const MapBy map_by : {MapBy::kBlock, MapBy::kCyclic, MapBy::kSlots}) {
    const auto placed = Place(kHosts, 2, map_by);
    EXPECT_EQ(placed->hosts, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(placed->host_of, (Numbers{0, 1}));
  }
}

TEST(PlacementTest, Names) {
  EXPECT_EQ(ParseMapBy("Cyclic"), MapBy::kCyclic);
  EXPECT_EQ(ParseMapBy("node"), std::nullopt);
}

}  // namespace
}  // namespace gasnet::gasnetrun
