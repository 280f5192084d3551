// Tests the ids of teams, and the recognition of messages of ended teams.
#include "coll/team_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace gasnet::coll {
namespace {

Team::Members Of(TeamTable::Name name, std::vector<uint16_t> ids = {}) {
  return {.id = name.id,
          .me = 0,
          .first = name.first,
          .ranks = {2, 4},
          .ids = std::move(ids),
          .images = {1, 1},
          .near = std::vector<bool>(2),
          .hosts = std::vector<uint32_t>(2)};
}

TEST(TeamTableTest, NamesAreNotThoseOfTheTeamsOfAll) {
  TeamTable table;
  table.Add(Of({.id = TeamTable::kAll}));
  std::set<uint16_t> names = {TeamTable::kAll, TeamTable::kImages};
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(names.insert(table.Take().id).second);
  }
}

TEST(TeamTableTest, ANameWithoutATeamIsUsedAgain) {
  TeamTable table;
  const TeamTable::Name name = table.Take();
  EXPECT_EQ(table.Find(name.id), nullptr);
  EXPECT_FALSE(table.HasEnded(name.id, 1)) << "the team comes";
  table.GiveBack(name.id);
  EXPECT_EQ(table.Take().id, name.id);
}

TEST(TeamTableTest, KnowsTheMessagesOfTeamsThatHaveEnded) {
  TeamTable table;
  const TeamTable::Name name = table.Take();
  Team& team = table.Add(Of(name));
  EXPECT_EQ(table.Find(name.id), &team);
  EXPECT_FALSE(table.HasEnded(name.id, 1));
  team.next = 70;
  table.Remove(team);
  EXPECT_EQ(table.Find(name.id), nullptr);
  // A late message that announces a base may carry the next number, 70.
  EXPECT_TRUE(table.HasEnded(name.id, 70));
  const TeamTable::Name again = table.Take();
  ASSERT_EQ(again.id, name.id);
  EXPECT_FALSE(table.HasEnded(again.id, again.first)) << "of the next team";
  EXPECT_TRUE(table.HasEnded(again.id, 70));
  Team& next = table.Add(Of({.id = again.id, .first = again.first + 1000}));
  EXPECT_EQ(next.window.base(), again.first + 1000);
  EXPECT_EQ(next.next, again.first + 1000);
  EXPECT_TRUE(table.HasEnded(again.id, again.first));
}

TEST(TeamTableTest, MembersMayHaveOtherNames) {
  TeamTable table;
  const TeamTable::Name name = table.Take();
  const Team& team = table.Add(Of(name, {name.id, 77}));
  EXPECT_EQ(team.id_of(0), name.id);
  EXPECT_EQ(team.id_of(1), 77);
}

TEST(TeamTableDeathTest, EndsWhenNoNameIsLeft) {
  TeamTable table;
  for (uint32_t i = 2; i <= UINT16_MAX; ++i) table.Take();
  EXPECT_DEATH(table.Take(), "there are 65536 teams on this node");
}

}  // namespace
}  // namespace gasnet::coll
