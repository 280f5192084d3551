// Tests of the translation between a team's ranks and nodes, in both
// directions.
#include "ex/team.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "coll/team.h"
#include "core/rank.h"
#include "ex/client.h"

namespace gasnet::ex {
namespace {

class TeamTest : public ::testing::Test {
 protected:
  // Checks a team whose members are on these nodes, in order of rank. This
  // process is the second member, or the only one. Returns true if the team
  // needs a table of nodes.
  bool HasTable(const std::vector<Rank>& nodes) {
    const size_t count = nodes.size();
    const Rank me = count > 1 ? 1 : 0;
    coll::Team members({.id = 3,
                        .me = me,
                        .ranks = nodes,
                        .images = std::vector<uint32_t>(count, 1),
                        .near = std::vector<bool>(count),
                        .hosts = std::vector<uint32_t>(count)});
    ExTeam team(members, endpoint_, {}, GEX_FLAG_TM_NO_SCRATCH, {});
    EXPECT_EQ(team.size(), count);
    EXPECT_EQ(team.rank(), me);
    EXPECT_EQ(team.flags, GEX_FLAG_TM_NO_SCRATCH);
    EXPECT_EQ(&team.endpoint, &endpoint_);
    EXPECT_EQ(team.data.Get(), nullptr);
    std::vector<gex_Rank_t> expected(20, GEX_RANK_INVALID);
    for (Rank rank = 0; rank < count; ++rank) {
      EXPECT_EQ(team.NodeOf(rank), nodes[rank]);
      EXPECT_EQ(gasneti_node_of(&team, rank), nodes[rank]);
      expected[nodes[rank]] = rank;
    }
    for (Rank node = 0; node < expected.size(); ++node) {
      EXPECT_EQ(team.RankOf(node), expected[node]);
    }
    return team.nodes != nullptr;
  }

 private:
  gasneti_client client_{"test", 0};
  gasneti_ep endpoint_{client_};
};

TEST_F(TeamTest, OfEqualDistancesNeedsNoTable) {
  EXPECT_FALSE(HasTable({5}));
  EXPECT_FALSE(HasTable({5, 2}));
  EXPECT_FALSE(HasTable({0, 1, 2, 3}));
  EXPECT_FALSE(HasTable({3, 6, 9, 12, 15}));
  EXPECT_FALSE(HasTable({12, 9, 6, 3, 0}));
}

TEST_F(TeamTest, OfOthersHasATable) {
  EXPECT_TRUE(HasTable({0, 1, 3}));
  EXPECT_TRUE(HasTable({4, 2, 7, 19}));
  EXPECT_TRUE(HasTable({1, 0, 2}));
}

}  // namespace
}  // namespace gasnet::ex
