// Checks that collectives among many hosts need exactly as many messages, bytes
// and sequential steps as their algorithms require.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coll/testing/program.h"
#include "coll/testing/world.h"
#include "coll/tree.h"

namespace gasnet::coll {
namespace {

using testing::CallMaker;
using testing::Program;
using testing::SimTeam;
using testing::Wish;
using testing::World;
using testing::WorldOptions;

constexpr Rank kHosts = 256;
constexpr uint64_t kRounds = 8;

struct Figures {
  uint64_t messages = 0;       // sum over all nodes
  uint64_t most_messages = 0;  // maximum of all nodes
  uint64_t bytes = 0;          // sum over all nodes
  uint64_t most_bytes = 0;
  uint64_t depth = 0;  // longest chain of dependent messages
  World::Counts between_hosts;
};

// Runs one collective and returns its figures. There are on_host nodes on each
// host.
Figures Measure(CollectiveKind kind, SyncMode sync, size_t nbytes,
                Rank hosts = kHosts, const CollSettings& settings = {},
                Rank on_host = 1) {
  const Rank nodes = hosts * on_host;
  WorldOptions options = {.nodes = nodes, .seed = 1, .in_order = true};
  for (Rank i = 0; i < nodes; ++i) options.hosts.push_back(i / on_host);
  options.arena_bytes = size_t{4} << 20;
  options.settings = settings;
  World world(std::move(options));
  Program program(world);
  std::vector<Rank> ranks(nodes);
  for (Rank i = 0; i < nodes; ++i) ranks[i] = i;
  SimTeam& team = program.AddTeam(ranks, std::vector<uint32_t>(nodes, 1));
  CallMaker maker(world);
  program.Add(maker.Make(
      {.kind = kind, .in = sync, .out = sync, .nbytes = nbytes}, team));
  program.Run(0);
  EXPECT_EQ(world.memory().violations(), std::vector<std::string>{});
  Figures figures = {.between_hosts = world.sent_between_hosts()};
  for (Rank i = 0; i < nodes; ++i) {
    figures.messages += world.sent(i).messages;
    figures.bytes += world.sent(i).bytes;
    figures.most_messages =
        std::max(figures.most_messages, world.sent(i).messages);
    figures.most_bytes = std::max(figures.most_bytes, world.sent(i).bytes);
    figures.depth = std::max(figures.depth, world.depth(i));
  }
  return figures;
}

// Returns the depth in messages of the best tree for kLatency.
uint64_t TreeDepth() {
  const std::vector<TreePlace> places = BestBroadcast(kHosts, kLatency);
  std::vector<uint64_t> depth(kHosts);
  for (uint32_t i = 1; i < kHosts; ++i) {
    depth[i] = depth[places[i].parent] + 1;
  }
  return *std::max_element(depth.begin(), depth.end());
}

TEST(RoundsTest, ABroadcastSendsOnceToEachHost) {
  const Figures got = Measure(CollectiveKind::kBroadcast, SyncMode::kMine, 4);
  EXPECT_EQ(got.messages, kHosts - 1);
  EXPECT_EQ(got.bytes, 4u * (kHosts - 1));
  EXPECT_EQ(got.depth, TreeDepth());
  EXPECT_LE(got.most_messages, 12u);
}

TEST(RoundsTest, ABarrierTakesAsManyRoundsAsBits) {
  const Figures got = Measure(CollectiveKind::kBarrier, SyncMode::kMine, 0);
  EXPECT_EQ(got.messages, kHosts * kRounds);
  EXPECT_EQ(got.most_messages, kRounds);
  EXPECT_GE(got.depth, kRounds);
}

TEST(RoundsTest, AMeetingTakesAsManyRoundsAsBits) {
  // The nodes meet once before the broadcast and once after it.
  const Figures got = Measure(CollectiveKind::kBroadcast, SyncMode::kAll, 4);
  EXPECT_EQ(got.messages, 2 * kHosts * kRounds + kHosts - 1);
  EXPECT_EQ(got.bytes, 4u * (kHosts - 1));
}

TEST(RoundsTest, ASmallReduceGoesUpATreeOfPairs) {
  const Figures got = Measure(CollectiveKind::kReduceAll, SyncMode::kMine, 4);
  EXPECT_EQ(got.messages, 2 * (kHosts - 1));
  EXPECT_EQ(got.bytes, 2 * 4 * (kHosts - 1));
  EXPECT_EQ(got.depth, kRounds + TreeDepth());
}

TEST(RoundsTest, ALargeReduceAllSendsItsVectorTwice) {
  constexpr Rank kFew = 8;
  const Figures got =
      Measure(CollectiveKind::kReduceAll, SyncMode::kMine, 12000, kFew);
  // Each node sends two slices to each other node, as in Rabenseifner's
  // algorithm.
  EXPECT_EQ(got.messages, 2u * kFew * (kFew - 1));
  EXPECT_LE(got.most_bytes, 2 * 12000 * (kFew - 1) / kFew + 64 * kFew);
}

TEST(RoundsTest, TwoHostsReduceInOneStepHoweverMuch) {
  const CollSettings settings = {.flat_reduce = 64};
  constexpr size_t kBytes = 1024;
  for (const CollectiveKind kind :
       {CollectiveKind::kReduce, CollectiveKind::kPrefixReduce}) {
    const Figures got = Measure(kind, SyncMode::kMine, kBytes, 2, settings);
    EXPECT_EQ(got.messages, 1u);
    EXPECT_EQ(got.bytes, kBytes);
  }
  const Figures got =
      Measure(CollectiveKind::kReduceAll, SyncMode::kMine, kBytes, 2, settings);
  EXPECT_EQ(got.messages, 2u);
  EXPECT_EQ(got.bytes, 2 * kBytes);
}

TEST(RoundsTest, SmallGatherAllsTakeAsManyRoundsAsBits) {
  const Figures got = Measure(CollectiveKind::kGatherAll, SyncMode::kMine, 4);
  EXPECT_EQ(got.messages, kHosts * kRounds);
  EXPECT_EQ(got.most_messages, kRounds);
  EXPECT_EQ(got.most_bytes, 4u * (kHosts - 1));
}

TEST(RoundsTest, SmallExchangesTakeAsManyRoundsAsBits) {
  const Figures got = Measure(CollectiveKind::kExchange, SyncMode::kMine, 4);
  EXPECT_EQ(got.messages, kHosts * kRounds);
  EXPECT_EQ(got.most_messages, kRounds);
  // Each node sends half of its blocks in each round.
  EXPECT_EQ(got.most_bytes, 4u * kHosts / 2 * kRounds);
}

TEST(RoundsTest, LargeGatherAllsGoRoundARing) {
  constexpr Rank kFew = 8;
  constexpr size_t kBytes = 6000;
  const Figures got =
      Measure(CollectiveKind::kGatherAll, SyncMode::kMine, kBytes, kFew);
  EXPECT_EQ(got.most_bytes, kBytes * (kFew - 1));
  EXPECT_EQ(got.bytes, kFew * got.most_bytes);
}

constexpr CollSettings kSegments = {.eager_far = 100, .segment = 500};

TEST(RoundsTest, LargeBroadcastsAreSentOnceByEachHost) {
  constexpr Rank kFew = 8;
  constexpr size_t kBytes = 12000;
  const Figures got = Measure(CollectiveKind::kBroadcast, SyncMode::kMine,
                              kBytes, kFew, kSegments);
  EXPECT_EQ(got.most_bytes, kBytes);
  EXPECT_EQ(got.bytes, kBytes * (kFew - 1));
}

// Returns the number of bytes that the second host of a chain has received when
// it first forwards a segment.
uint64_t ComeBeforeFirstSent(size_t nbytes, const CollSettings& settings) {
  WorldOptions options = {.nodes = 3, .hosts = {0, 1, 2}, .settings = settings};
  World world(std::move(options));
  Program program(world);
  SimTeam& team = program.AddTeam({0, 1, 2}, {1, 1, 1});
  CallMaker maker(world);
  program.Add(
      maker.Make({.kind = CollectiveKind::kBroadcast, .nbytes = nbytes}, team));
  const Rank root = program.calls()[0]->of[0]->request.root;
  const Rank second = root == 0 ? 1 : 0;
  for (int items = 0; items < 2; ++items) {
    for (Rank rank = 0; rank < 3; ++rank) program.BeginNext(rank);
  }
  while (world.sent(second).bytes == 0 && world.UnderWay() > 0) {
    world.DeliverOne(0);
    for (Rank rank = 0; rank < 3; ++rank) world.Drive(rank);
  }
  const uint64_t come = world.come(second);
  program.Run(0);
  EXPECT_EQ(world.memory().violations(), std::vector<std::string>{});
  return come;
}

TEST(RoundsTest, AHostPassesOnASegmentWhileItReceivesTheNext) {
  constexpr size_t kBytes = 12000;
  EXPECT_LT(ComeBeforeFirstSent(kBytes, kSegments), kBytes / 2);
}

TEST(RoundsTest, AScatterSendsEachBlockOnce) {
  const Figures got = Measure(CollectiveKind::kScatter, SyncMode::kMine, 4);
  EXPECT_EQ(got.messages, kHosts - 1);
  EXPECT_EQ(got.bytes, 4u * (kHosts - 1));
  EXPECT_EQ(got.depth, 1u);
}

TEST(RoundsTest, AGatherSendsEachBlockOnce) {
  const Figures got = Measure(CollectiveKind::kGather, SyncMode::kMine, 4);
  EXPECT_EQ(got.messages, kHosts - 1);
  EXPECT_EQ(got.bytes, 4u * (kHosts - 1));
  EXPECT_EQ(got.depth, 1u);
}

// The parameter is the number of hosts. Each host has several nodes. With few
// hosts the operation completes within its call. With many hosts it does not.
class LedTest : public ::testing::TestWithParam<Rank> {
 protected:
  static constexpr Rank kOnHost = 4;
  static constexpr size_t kBytes = 40;
  Rank hosts() const { return GetParam(); }
  Figures Of(CollectiveKind kind, size_t nbytes) const {
    const CollSettings settings = {.leaders = kOnHost * kBytes};
    return Measure(kind, SyncMode::kMine, nbytes, hosts(), settings, kOnHost);
  }
};

TEST_P(LedTest, SmallBlocksOfAHostShareAMessage) {
  for (const CollectiveKind kind :
       {CollectiveKind::kScatter, CollectiveKind::kGather}) {
    const Figures got = Of(kind, kBytes);
    EXPECT_EQ(got.between_hosts.messages, hosts() - 1);
    EXPECT_EQ(got.between_hosts.bytes, (hosts() - 1) * kOnHost * kBytes);
    EXPECT_EQ(got.messages, hosts() * kOnHost - 1);
    EXPECT_EQ(got.depth, 2u);
  }
}

TEST_P(LedTest, LargerBlocksGoStraight) {
  for (const CollectiveKind kind :
       {CollectiveKind::kScatter, CollectiveKind::kGather}) {
    const Figures got = Of(kind, kBytes + 1);
    EXPECT_EQ(got.between_hosts.messages, (hosts() - 1) * kOnHost);
    EXPECT_EQ(got.bytes, (hosts() * kOnHost - 1) * (kBytes + 1));
    EXPECT_EQ(got.depth, 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(, LedTest, ::testing::Values(2, 3, 20));

}  // namespace
}  // namespace gasnet::coll
