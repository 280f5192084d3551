// Tests that splits form teams by color and order the nodes of each team.
#include "coll/split.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "coll/team.h"

namespace gasnet::coll {
namespace {

Team::Members Parent(Rank me) {
  return {.id = 3,
          .me = me,
          .ranks = {2, 4, 6, 8, 9},
          .images = {1, 2, 3, 1, 2},
          .near = std::vector<bool>(5),
          .hosts = std::vector<uint32_t>(5)};
}

TEST(SplitTest, OrdersByKeyThenByParent) {
  const std::vector<SplitWish> wishes = {
      {.color = 1, .key = 5, .id = 4, .first = 1},
      {.color = 2, .key = 1, .id = 4, .first = 60},
      {.color = 1, .key = -7, .id = 7, .first = 40},
      {.color = 1, .key = 5, .id = 2, .first = 9},
      {.color = 2, .key = 0, .id = 5, .first = 1}};
  for (const Rank me : {0u, 2u, 3u}) {
    const SplitResult result = SplitTeam(Team(Parent(me)), wishes);
    EXPECT_EQ(result.ranks, (std::vector<Rank>{6, 2, 8}));
    EXPECT_EQ(result.ids, (std::vector<uint16_t>{7, 4, 2}));
    EXPECT_EQ(result.images, (std::vector<uint32_t>{3, 1, 1}));
    EXPECT_EQ(result.first, 40u) << "new on all nodes";
  }
  for (const Rank me : {1u, 4u}) {
    const SplitResult result = SplitTeam(Team(Parent(me)), wishes);
    EXPECT_EQ(result.ranks, (std::vector<Rank>{9, 4}));
    EXPECT_EQ(result.images, (std::vector<uint32_t>{2, 2}));
    EXPECT_EQ(result.first, 60u);
  }
}

TEST(SplitTest, LeavesOutNodesThatJoinNone) {
  std::vector<SplitWish> wishes(5);
  for (const Rank rank : {1u, 3u}) wishes[rank] = {.color = 0, .id = rank};
  const SplitResult result = SplitTeam(Team(Parent(3)), wishes);
  EXPECT_EQ(result.ranks, (std::vector<Rank>{4, 8}));
}

TEST(SplitTest, OfOneNodeIsATeam) {
  std::vector<SplitWish> wishes(5);
  for (uint32_t i = 0; i < 5; ++i) wishes[i] = {.color = i, .id = 4};
  const SplitResult result = SplitTeam(Team(Parent(2)), wishes);
  EXPECT_EQ(result.ranks, std::vector<Rank>{6});
}

TEST(SplitTest, AfterTheNumbersWrapTheLaterOneIsFirst) {
  std::vector<SplitWish> wishes(5, {.color = 1, .first = 0xfffffff0u});
  wishes[4].first = 5;
  EXPECT_EQ(SplitTeam(Team(Parent(2)), wishes).first, 5u);
}

TEST(TeamTest, FindsTheOwnersOfImages) {
  const Team team(Parent(1));
  const std::vector<Rank> owners = {0, 1, 1, 2, 2, 2, 3, 4, 4};
  ASSERT_EQ(team.blocks(), owners.size());
  for (uint32_t k = 0; k < owners.size(); ++k) {
    EXPECT_EQ(team.owner_of(k), owners[k]);
    EXPECT_LE(team.first_image(owners[k]), k);
    EXPECT_LT(k, team.first_image(owners[k]) + team.images(owners[k]));
  }
}

TEST(TeamTest, KnowsItsMembersAlone) {
  const Team team(Parent(1));
  EXPECT_EQ(team.index_of(6), 2u);
  EXPECT_EQ(team.index_of(3), Team::kNoMember);
  EXPECT_EQ(team.index_of(1000), Team::kNoMember);
}

}  // namespace
}  // namespace gasnet::coll
