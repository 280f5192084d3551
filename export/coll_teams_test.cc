// Tests the functions for teams, and a start without gasnet_coll_init.
#include <algorithm>
#include <string>

#include "core/thread/mode.h"
#include "export/coll_test_engine.h"

namespace gasnet::exported {
namespace {

// A call names the root by its rank in the team, regardless of its rank in the
// job.
TEST_F(CollFunctionsTest, TeamsOfTheirOwn) {
  const gasnet_team_handle_t team =
      gasnet_coll_team_split(GASNET_TEAM_ALL, 1, 5, nullptr);
  ASSERT_NE(team, GASNET_TEAM_ALL);
  void* const both[] = {nullptr, dst_};
  gasnet_coll_broadcastM(team, both, 0, src_, 8, kSingle);
  EXPECT_EQ(NotingEngine::last_team->nodes(), 2u);
  EXPECT_EQ(Last().dests[0], dst_);
  EXPECT_EQ(Last().root, 0u);
  EXPECT_DEATH(gasnet_coll_broadcast(team, dst_, 2, src_, 8, kLocal),
               "gasnet_coll_broadcast: srcimg is 2; .* images 0 to 1");
}

TEST_F(CollFunctionsTest, TeamsUnderInternalNames) {
  const gasnete_coll_team_t team =
      gasnete_coll_team_split(gasnete_coll_team_all, 1, 5, nullptr);
  EXPECT_EQ(gasnete_coll_team_size(GASNET_TEAM_ALL), kNodes);
  EXPECT_EQ(gasnete_coll_team_size(team), 2u);
  EXPECT_EQ(gasnete_coll_team_rank2node(team, 0), 3u);
  EXPECT_EQ(gasnete_coll_team_rank2node(team, 1), kMe);
  EXPECT_EQ(gasnete_coll_team_node2rank(team, 3), 0u);
  EXPECT_EQ(gasnete_coll_team_node2rank(team, kMe), 1u);
  EXPECT_EQ(gasnete_coll_team_node2rank(team, 0), ~gasnet_node_t{0});
  EXPECT_EQ(gasnete_coll_team_node2rank(team, 77), ~gasnet_node_t{0});
  EXPECT_DEATH(gasnete_coll_team_rank2node(team, 2),
               "gasnete_coll_team_rank2node: rank is 2; .* nodes 0 to 1");
}

TEST_F(CollFunctionsTest, TeamsThatAreFreed) {
  const gasnet_team_handle_t one =
      gasnet_coll_team_split(GASNET_TEAM_ALL, 1, 5, nullptr);
  const gasnet_team_handle_t other =
      gasnet_coll_team_split(GASNET_TEAM_ALL, 1, 5, nullptr);
  gasnete_coll_team_free(one);
  gasnet_coll_exchange(other, dst_, src_, 8, kLocal);
  EXPECT_DEATH(
      gasnet_coll_exchange(one, dst_, src_, 8, kLocal),
      "gasnet_coll_exchange: team is .* not a team that this node is in");
  EXPECT_DEATH(
      gasnete_coll_team_free(one),
      "gasnete_coll_team_free: team is .* not a team that a split made");
  EXPECT_DEATH(gasnete_coll_team_free(GASNET_TEAM_ALL),
               "not a team that a split");
}

TEST_F(CollFunctionsTest, StartsByItselfAndTakesFunctionsLater) {
  constexpr char kTold[] =
      "gasnet_coll_exchange called before gasnet_coll_init";
  NotingPolicy::Forget();
  const auto exchange = [&] {
    gasnet_coll_exchange(GASNET_TEAM_ALL, dst_, src_, 8, kLocal);
  };
  if (thread::kChecks) {
    EXPECT_DEATH(exchange(), kTold);
    return Init(nullptr);
  }
  testing::internal::CaptureStderr();
  exchange();
  exchange();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find(kTold), std::string::npos);
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  EXPECT_EQ(NotingEngine::begun, 2);
  EXPECT_DEATH(gasnet_coll_reduce(GASNET_TEAM_ALL, 0, dst_, src_, 0, 0, 8, 1, 0,
                                  0, kLocal),
               "function 0 is not in the table");
#if defined(GASNET_PAR)
  const gasnet_image_t images[kNodes] = {1, 1, 2, 1};
  EXPECT_DEATH(Init(images), "a node has several images, but .* have begun");
#endif
  Init(nullptr);
  gasnet_coll_reduce(GASNET_TEAM_ALL, 0, dst_, src_, 0, 0, 8, 1, 0, 0, kLocal);
  EXPECT_EQ(NotingEngine::begun, 3);
  EXPECT_DEATH(Init(nullptr), "twice");
}

}  // namespace
}  // namespace gasnet::exported
