// Tests that the algorithms of all nodes fit together. Each outgoing part
// arrives at another node exactly once, with the same key and size. When all
// parts have moved, every node has the right result.
#include "coll/choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "coll/testing/program.h"
#include "coll/testing/together.h"
#include "coll/testing/world.h"
#include "coll/tuning.h"

namespace gasnet::coll {
namespace {

using testing::CallMaker;
using testing::Calls;
using testing::SimTeam;
using testing::Together;
using testing::Wish;
using testing::World;

class AlgorithmTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(AlgorithmTest, PartsOfAllNodesMatch) {
  const auto kind = static_cast<CollectiveKind>(GetParam());
  for (const Rank nodes : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 16u, 17u, 33u, 64u}) {
    for (unsigned seed = 0; seed < (nodes > 8 ? 3 : 8); ++seed) {
      testing::WorldOptions options = {.nodes = nodes, .seed = seed};
      options.settings.flat_reduce = 64;
      options.settings.segment = seed % 2 == 0 ? 64 : 1000;
      options.settings.ring_from = seed % 4 < 2 ? 0 : 100;
      options.settings.rounds_exchange = seed % 2 == 0 ? 256 : 10;
      options.processors = seed % 4 == 0 ? 3 : 100;
      for (Rank i = 0; i < nodes; ++i) {
        options.hosts.push_back(seed % 3 == 0 ? 0 : seed % 3 == 1 ? i : i % 3);
      }
      const CollSettings settings = options.settings;
      World world(std::move(options));
      std::mt19937_64& random = world.random();
      SimTeam team;
      for (Rank i = 0; i < nodes; ++i) {
        team.ranks.push_back(i);
        team.images.push_back(seed % 2 == 0 ? 1 : 1 + random() % 3);
      }
      CallMaker maker(world);
      Wish wish = maker.RandomWish();
      wish.kind = kind;
      wish.form = kind <= CollectiveKind::kExchange
                      ? static_cast<BlockMap::Form>(random() % 3)
                      : BlockMap::Form::kTeam;
      const std::unique_ptr<Calls> calls = maker.Make(wish, team);
      for (const Rank rank : team.ranks) world.memory().Enter(0, rank);
      access_observer = nullptr;
      Together together(world, *calls, team, settings);
      together.Run();
      if (HasFatalFailure()) {
        FAIL() << "seed " << seed << ", " << nodes << " nodes, " << wish.Name();
      }
      for (const Rank rank : team.ranks) world.memory().Synced(0, rank);
      world.memory().CheckAll();
      ASSERT_EQ(world.memory().violations(), std::vector<std::string>{})
          << "seed " << seed << ", " << nodes << " nodes, " << wish.Name();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, AlgorithmTest, ::testing::Range(0u, kKinds));

// ---- through the center

// Returns the number of parts that move when four nodes have blocks of nbytes
// bytes.
size_t PartsOf(CollectiveKind kind, size_t nbytes,
               testing::WorldOptions options,
               std::vector<uint32_t> images = {1, 1, 1, 1}) {
  SimTeam team;
  team.ranks = {0, 1, 2, 3};
  team.images = std::move(images);
  World world(options);
  CallMaker maker(world);
  const Wish wish = {.kind = kind, .nbytes = nbytes};
  const std::unique_ptr<Calls> calls = maker.Make(wish, team);
  for (const Rank rank : team.ranks) world.memory().Enter(0, rank);
  access_observer = nullptr;
  Together together(world, *calls, team, options.settings);
  together.Run();
  for (const Rank rank : team.ranks) world.memory().Synced(0, rank);
  world.memory().CheckAll();
  EXPECT_EQ(world.memory().violations(), std::vector<std::string>{});
  return together.parts();
}

TEST(CentralTest, FewBytesOfAllForAllPassOneNode) {
  testing::WorldOptions options = {.nodes = 4, .hosts = {0, 0, 0, 0}};
  options.settings.flat_reduce = 64;
  options.settings.rounds_gather = 4 * 64;
  options.settings.eager_far = 4 * 64;
  for (const CollectiveKind kind :
       {CollectiveKind::kGatherAll, CollectiveKind::kExchange,
        CollectiveKind::kReduceAll}) {
    options.settings.central_from = 4;
    options.processors = 3;
    EXPECT_EQ(PartsOf(kind, 64, options), 6u);
    EXPECT_GT(PartsOf(kind, 128, options), 6u);
    EXPECT_GT(PartsOf(kind, 64, options, {1, 1, 2, 1}), 6u);
    options.processors = 4;
    EXPECT_GT(PartsOf(kind, 64, options), 6u);
    options.processors = 3;
    options.settings.central_from = 5;
    EXPECT_GT(PartsOf(kind, 64, options), 6u);
  }
}

// A chain of four nodes sends three messages. The rounds of a crowd send four:
// two rounds of two messages.
TEST(PrefixTest, InACrowdFewBytesGoInRounds) {
  testing::WorldOptions options = {.nodes = 4, .hosts = {0, 0, 0, 0}};
  options.settings.flat_reduce = 64;
  options.settings.central_from = 4;
  options.settings.chain_from = 2;
  options.processors = 3;
  EXPECT_EQ(PartsOf(CollectiveKind::kPrefixReduce, 64, options), 4u);
  EXPECT_GT(PartsOf(CollectiveKind::kPrefixReduce, 128, options), 6u);
  EXPECT_GT(PartsOf(CollectiveKind::kPrefixReduce, 64, options, {1, 1, 2, 1}),
            6u);
  options.processors = 4;
  EXPECT_EQ(PartsOf(CollectiveKind::kPrefixReduce, 64, options), 3u);
}

TEST(CentralTest, AnExchangeIsEagerWhateverItsParts) {
  const CollSettings settings = {.eager_near = 8, .central_from = 4};
  const auto is_all_eager = [&](CollectiveKind kind, uint32_t processors) {
    Team::Members members = {
        .id = 0, .me = 0, .ranks = {0, 1, 2, 3}, .images = {1, 1, 1, 1}};
    members.near.assign(4, true);
    members.hosts.assign(4, 0);
    members.processors = processors;
    CollectiveRequest request;
    request.kind = kind;
    request.nbytes = 64;
    const Team team(std::move(members));
    return Choose(team, request, settings).traits().is_all_eager;
  };
  EXPECT_TRUE(is_all_eager(CollectiveKind::kExchange, 3));
  EXPECT_FALSE(is_all_eager(CollectiveKind::kExchange, 4));
  // A gather_all is not all eager: all nodes get equal blocks, and each node
  // copies them straight from the center's memory.
  EXPECT_FALSE(is_all_eager(CollectiveKind::kGatherAll, 3));
}

// Three nodes send their part of each slice. The result of each slice goes to
// three nodes.
TEST(SlicesTest, AreAsManyAsNodesThatRun) {
  testing::WorldOptions options = {.nodes = 4, .hosts = {0, 0, 0, 0}};
  options.settings.flat_reduce = 64;
  for (const uint32_t processors : {1u, 2u, 3u, 4u, 5u}) {
    options.processors = processors;
    EXPECT_EQ(PartsOf(CollectiveKind::kReduceAll, 256, options),
              6 * std::min(processors, 4u));
  }
  options.processors = 1;
  EXPECT_EQ(PartsOf(CollectiveKind::kReduceAll, 3 * kSliceInCrowd, options),
            3 * 6u);
  EXPECT_EQ(PartsOf(CollectiveKind::kReduceAll, 9 * kSliceInCrowd, options),
            4 * 6u);
  options.hosts = {0, 0, 1, 1};
  EXPECT_EQ(PartsOf(CollectiveKind::kReduceAll, 256, options), 24u);
}

// ---- by leaders

enum class Layout : uint8_t { kTogether, kInTurn, kAnyhow };

std::vector<uint32_t> HostsOf(Rank nodes, Layout layout,
                              std::mt19937_64& random) {
  std::vector<uint32_t> hosts(nodes);
  for (Rank i = 0; i < nodes; ++i) {
    hosts[i] = layout == Layout::kTogether ? i / 3
               : layout == Layout::kInTurn
                   ? i % 3
                   : static_cast<uint32_t>(random() % 4);
  }
  return hosts;
}

// Returns the number of blocks of each host except the root's, indexed by the
// host's first node.
std::map<Rank, size_t> BlocksOfHosts(const std::vector<uint32_t>& hosts,
                                     const std::vector<Rank>& owners,
                                     Rank root) {
  std::map<Rank, size_t> blocks;
  for (const Rank owner : owners) {
    if (hosts[owner] == hosts[root]) continue;
    const auto first = std::find(hosts.begin(), hosts.end(), hosts[owner]);
    ++blocks[static_cast<Rank>(first - hosts.begin())];
  }
  return blocks;
}

bool HasSharedHostBeyond(const std::vector<uint32_t>& hosts, Rank root) {
  return std::any_of(hosts.begin(), hosts.end(), [&](uint32_t host) {
    return host != hosts[root] &&
           std::count(hosts.begin(), hosts.end(), host) > 1;
  });
}

// Returns the largest number of blocks on one host. If nodes claim their
// blocks, returns the total number of blocks.
size_t MostBlocks(const std::vector<uint32_t>& hosts,
                  const std::vector<Rank>& owners, BlockMap::Form form) {
  if (form != BlockMap::Form::kTeam) return owners.size();
  std::map<uint32_t, size_t> blocks;
  size_t most = 0;
  for (const Rank owner : owners) most = std::max(most, ++blocks[hosts[owner]]);
  return most;
}

class LedTest : public ::testing::TestWithParam<unsigned> {
 protected:
  static constexpr size_t kBytes = 24;

  void RunOne(Layout layout, BlockMap::Form form, unsigned seed) {
    constexpr Rank kNodes[] = {3, 4, 7, 12};
    const Rank nodes = kNodes[seed % std::size(kNodes)];
    std::mt19937_64 random(seed);
    testing::WorldOptions options = {.nodes = nodes, .seed = seed};
    options.hosts = HostsOf(nodes, layout, random);
    options.settings.leaders = kBytes * (1 + random() % 16) + random() % 2;
    if (random() % 8 == 0) options.settings.eager_far = 3 * kBytes;
    SimTeam team;
    for (Rank i = 0; i < nodes; ++i) {
      team.ranks.push_back(i);
      team.images.push_back(seed % 2 == 0 ? 1 : 1 + random() % 3);
    }
    World world(options);
    CallMaker maker(world);
    const Wish wish = {.kind = static_cast<CollectiveKind>(GetParam()),
                       .nbytes = kBytes,
                       .form = form,
                       .in_place = seed % 3 == 0};
    const std::unique_ptr<Calls> calls = maker.Make(wish, team);
    for (const Rank rank : team.ranks) world.memory().Enter(0, rank);
    access_observer = nullptr;
    Together together(world, *calls, team, options.settings);
    together.Run();
    if (HasFatalFailure()) return;
    for (const Rank rank : team.ranks) world.memory().Synced(0, rank);
    world.memory().CheckAll();
    ASSERT_EQ(world.memory().violations(), std::vector<std::string>{});
    CheckCrossings(together, options, wish, calls->of[0]->request.root);
  }

  // Checks the messages between the root and each other host. If leaders are
  // used, there is one message with all blocks of the host. Otherwise there is
  // one message for each block.
  void CheckCrossings(const Together& together,
                      const testing::WorldOptions& options, const Wish& wish,
                      Rank root) {
    const std::vector<Rank> owners = together.Owners();
    const size_t most =
        std::min(options.settings.leaders, options.settings.eager_far);
    const bool led =
        HasSharedHostBeyond(options.hosts, root) &&
        MostBlocks(options.hosts, owners, wish.form) * kBytes <= most;
    std::map<Rank, size_t> left = BlocksOfHosts(options.hosts, owners, root);
    for (const Together::Crossing& it : together.crossings()) {
      if (wish.form == BlockMap::Form::kClaimed && it.phase == 0) continue;
      ASSERT_EQ(wish.kind == CollectiveKind::kScatter ? it.from : it.to, root);
      const Rank other =
          wish.kind == CollectiveKind::kScatter ? it.to : it.from;
      if (!led) {
        ASSERT_EQ(it.nbytes, kBytes);
        continue;
      }
      ASSERT_EQ(it.nbytes, left[other] * kBytes) << "to or from node " << other;
      left.erase(other);
      ++led_;
    }
    ASSERT_TRUE(!led || left.empty()) << "a host without its blocks";
  }

  size_t led_ = 0;  // number of messages to or from leaders
};

TEST_P(LedTest, BlocksOfAHostTravelTogetherUpToTheLimit) {
  for (const Layout layout :
       {Layout::kTogether, Layout::kInTurn, Layout::kAnyhow}) {
    for (unsigned form = 0; form < 3; ++form) {
      for (unsigned seed = 0; seed < 60; ++seed) {
        RunOne(layout, static_cast<BlockMap::Form>(form), seed);
        if (HasFatalFailure()) {
          FAIL() << "seed " << seed << ", form " << form << ", layout "
                 << static_cast<int>(layout);
        }
      }
    }
  }
  EXPECT_GT(led_, 300u) << "too few to mean anything";
}

INSTANTIATE_TEST_SUITE_P(
    , LedTest,
    ::testing::Values(static_cast<unsigned>(CollectiveKind::kScatter),
                      static_cast<unsigned>(CollectiveKind::kGather)));

}  // namespace
}  // namespace gasnet::coll
