#include "job/statistics/rank_groups.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

// Returns the host of each rank, for ranks that go to the hosts in turn.
std::vector<uint32_t> Cyclic(uint32_t ranks, uint32_t hosts) {
  std::vector<uint32_t> host_of(ranks);
  for (uint32_t rank = 0; rank < ranks; ++rank) host_of[rank] = rank % hosts;
  return host_of;
}

TEST(RankGroupsTest, FewRanksAreAGroupEachWhateverTheirHosts) {
  for (const auto& host_of : {std::vector<uint32_t>(), Cyclic(64, 2)}) {
    const RankGroups groups(64, host_of);
    EXPECT_EQ(groups.size(), 64u);
    EXPECT_EQ(groups.Of(0), 0u);
    EXPECT_EQ(groups.Of(63), 63u);
    EXPECT_EQ(groups.Name(63, {"a", "b"}), "rank 63");
  }
}

TEST(RankGroupsTest, MoreRanksAreGroupedByHost) {
  const RankGroups groups(65, Cyclic(65, 3));
  EXPECT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups.Of(64), 1u);
  EXPECT_EQ(groups.Name(1, {"a", "b"}), "host b");
  EXPECT_EQ(groups.Name(2, {"a", "b"}), "host 2");
  EXPECT_EQ(RankGroups(200, Cyclic(200, 64)).size(), 64u);
}

TEST(RankGroupsTest, OnOneHostOrTooManyThereAreBlocks) {
  for (const auto& host_of :
       {std::vector<uint32_t>(), Cyclic(129, 1), Cyclic(129, 65)}) {
    const RankGroups groups(129, host_of);
    EXPECT_EQ(groups.size(), 43u);
    EXPECT_EQ(groups.Of(2), 0u);
    EXPECT_EQ(groups.Of(3), 1u);
    EXPECT_EQ(groups.Of(128), 42u);
    EXPECT_EQ(groups.Name(1, {}), "ranks 3-5");
  }
}

TEST(RankGroupsTest, TheLastBlockMayBeShorter) {
  const RankGroups groups(65, {});
  EXPECT_EQ(groups.size(), 33u);
  EXPECT_EQ(groups.Name(31, {}), "ranks 62-63");
  EXPECT_EQ(groups.Name(32, {}), "rank 64");
}

TEST(RankGroupsTest, AnyNumberOfRanksHasNoMoreThanTheMostGroups) {
  for (const uint32_t ranks : {1u, 63u, 64u, 65u, 127u, 128u, 129u, 65535u}) {
    const RankGroups groups(ranks, {});
    EXPECT_LE(groups.size(), RankGroups::kMost) << ranks;
    EXPECT_EQ(groups.Of(ranks - 1), groups.size() - 1) << ranks;
  }
}

}  // namespace
}  // namespace gasnet::job
