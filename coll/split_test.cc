// Splits make teams by color and rank.
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

TEST(SplitTest, OrdersByRankThenByParent) {
  const std::vector<SplitWish> wishes = {{.color = 1, .rank = 5, .next_id = 4},
                                         {.color = 2, .rank = 1, .next_id = 4},
                                         {.color = 1, .rank = 0, .next_id = 7},
                                         {.color = 1, .rank = 5, .next_id = 4},
                                         {.color = 2, .rank = 0, .next_id = 5}};
  for (const Rank me : {0u, 2u, 3u}) {
    const SplitResult result = SplitTeam(Team(Parent(me)), wishes);
    EXPECT_EQ(result.ranks, (std::vector<Rank>{6, 2, 8}));
    EXPECT_EQ(result.images, (std::vector<uint32_t>{3, 1, 1}));
    EXPECT_EQ(result.id, 7u) << "free on all nodes";
  }
  for (const Rank me : {1u, 4u}) {
    const SplitResult result = SplitTeam(Team(Parent(me)), wishes);
    EXPECT_EQ(result.ranks, (std::vector<Rank>{9, 4}));
    EXPECT_EQ(result.images, (std::vector<uint32_t>{2, 2}));
    EXPECT_EQ(result.id, 7u);
  }
}

TEST(SplitTest, OfOneNodeIsATeam) {
  std::vector<SplitWish> wishes(5);
  for (uint32_t i = 0; i < 5; ++i) wishes[i] = {.color = i, .next_id = 4};
  const SplitResult result = SplitTeam(Team(Parent(2)), wishes);
  EXPECT_EQ(result.ranks, std::vector<Rank>{6});
}

TEST(SplitDeathTest, EndsWhenNoIdIsLeft) {
  const std::vector<SplitWish> wishes(5, {.next_id = UINT16_MAX + 1});
  EXPECT_DEATH(SplitTeam(Team(Parent(0)), wishes), "that is the most");
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
