// Schedules of all nodes fit together: what goes out of one comes in at
// another, once, under the same key and with the same size; and when all of it
// has moved, every node has what it should.
#include "coll/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "coll/testing/program.h"
#include "coll/testing/world.h"

namespace gasnet::coll {
namespace {

using testing::CallMaker;
using testing::Calls;
using testing::ClientMemory;
using testing::SimTeam;
using testing::Wish;
using testing::World;

// One operation on all nodes of a team, phase by phase, all at once.
class Together {
 public:
  Together(World& world, Calls& calls, const SimTeam& team,
           const Settings& settings)
      : world_(world), settings_(settings) {
    const auto nodes = static_cast<Rank>(team.ranks.size());
    for (Rank me = 0; me < nodes; ++me) {
      Team::Members members = {
          .id = 0, .me = me, .ranks = team.ranks, .images = team.images};
      for (Rank i = 0; i < nodes; ++i) {
        members.near.push_back(world.IsNear(me, i));
        members.hosts.push_back(world.options().hosts[i]);
      }
      teams_.emplace_back(std::move(members));
      Operation& op = operations_.emplace_back();
      op.team = &teams_.back();
      op.request = &calls.of[me]->request;
      SetOwners(op);
    }
  }

  // A part that went from one host to another.
  struct Crossing {
    Rank from = 0;
    Rank to = 0;
    unsigned phase = 0;
    size_t nbytes = 0;
  };
  const std::vector<Crossing>& crossings() const { return crossings_; }
  // When all have moved.
  std::vector<Rank> Owners() const {
    if (operations_[0].request->blocks.form != BlockMap::Form::kTeam) {
      return operations_[0].owners;
    }
    std::vector<Rank> owners(teams_[0].blocks());
    for (uint32_t k = 0; k < owners.size(); ++k) {
      owners[k] = teams_[0].owner_of(k);
    }
    return owners;
  }

  void Run() {
    const unsigned phases = Of(0).Phases();
    if (Of(0).IsChain()) return RunChain(phases);
    for (unsigned phase = 0; phase < phases; ++phase) {
      for (Rank me = 0; me < operations_.size(); ++me) {
        ASSERT_EQ(Of(me).Phases(), phases) << "nodes disagree";
        operations_[me].phase = static_cast<uint8_t>(phase);
        operations_[me].outs.clear();
        Of(me).Begin();
      }
      Move(phase);
      for (Rank me = 0; me < operations_.size(); ++me) {
        ASSERT_EQ(operations_[me].ins_left, 0u)
            << "node " << me << " waits for what nobody sends";
      }
      for (Rank me = 0; me < operations_.size(); ++me) Of(me).Finish();
      if (phase > 0) continue;
      for (Rank me = 0; me < operations_.size(); ++me) {
        const Kind kind = operations_[me].request->kind;
        if (kind != Kind::kPut && kind != Kind::kGet) continue;
        world_.MovePartners(*operations_[me].request, me);
      }
      while (world_.UnderWay() > 0) world_.DeliverOne(0);
    }
  }

 private:
  // A node sends in its last phase what the next one gets in its first.
  void RunChain(unsigned phases) {
    for (Rank me = 0; me < operations_.size(); ++me) Of(me).Begin();
    for (Rank me = 0; me < operations_.size(); ++me) {
      Operation& op = operations_[me];
      ASSERT_TRUE(Of(me).IsChain()) << "nodes disagree";
      ASSERT_EQ(op.ins_left, 0u) << "node " << me << " comes too early";
      Of(me).Finish();
      for (op.phase = 1; op.phase < phases; ++op.phase) {
        Of(me).Begin();
        for (const OutPart& out : op.outs) {
          ASSERT_EQ(out.phase, 0u);
          Take(me, out);
        }
        Of(me).Finish();
      }
    }
  }

  Schedule Of(Rank me) { return {operations_[me], settings_, combiner_}; }

  void Cross(Rank from, const OutPart& out) {
    const Team& team = teams_[from];
    if (team.host_of(from) == team.host_of(out.to)) return;
    crossings_.push_back({from, out.to, out.phase, out.nbytes});
  }

  static void SetOwners(Operation& op) {
    const BlockMap& map = op.request->blocks;
    if (map.form != BlockMap::Form::kListed) return;
    for (uint32_t k = 0; k < map.total; ++k) {
      op.owners.push_back(op.team->index_of(map.owners[k]));
      if (op.owners[k] == op.team->me()) op.mine.push_back(k);
    }
  }

  // A part that is forwarded goes when it has come.
  void Move(unsigned phase) {
    size_t left = 0;
    for (const Operation& op : operations_) left += op.outs.size();
    while (left > 0) {
      const size_t before = left;
      for (Rank me = 0; me < operations_.size(); ++me) {
        Operation& op = operations_[me];
        for (OutPart& out : op.outs) {
          ASSERT_EQ(out.phase, phase);
          if (out.state == OutPart::State::kDone || MustWait(op, out)) continue;
          out.state = OutPart::State::kDone;
          --left;
          Take(me, out);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
      ASSERT_LT(left, before) << "nodes wait for each other";
    }
  }
  static bool MustWait(const Operation& op, const OutPart& out) {
    return out.after != OutPart::kNothing && !op.ins[out.after].done;
  }

  void Take(Rank from, const OutPart& out) {
    ASSERT_LT(out.to, operations_.size());
    ASSERT_NE(out.to, from);
    Cross(from, out);
    Operation& op = operations_[out.to];
    const size_t index = Of(out.to).IndexOf(out.key, from);
    ASSERT_LT(index, op.ins.size()) << "node " << out.to << " expects nothing";
    InPart& in = op.ins[index];
    ASSERT_FALSE(in.done) << "comes twice to node " << out.to;
    ASSERT_TRUE(in.from == InPart::kAnybody || in.from == from);
    ASSERT_EQ(in.nbytes, out.nbytes);
    const bool by_node =
        op.request->kind == Kind::kPut || op.request->kind == Kind::kGet;
    ASSERT_TRUE(by_node || Of(out.to).KeyOf(index) == out.key);
    if (in.nbytes > 0) std::memcpy(in.to, out.from, in.nbytes);
    in.done = true;
    --op.ins_left;
  }

  World& world_;
  const Settings& settings_;
  Combiner combiner_;
  std::deque<Team> teams_;
  std::deque<Operation> operations_;
  std::vector<Crossing> crossings_;
};

class ScheduleTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(ScheduleTest, PartsOfAllNodesMatch) {
  const auto kind = static_cast<Kind>(GetParam());
  for (const Rank nodes : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 16u, 17u, 33u, 64u}) {
    for (unsigned seed = 0; seed < (nodes > 8 ? 3 : 8); ++seed) {
      testing::WorldOptions options = {.nodes = nodes, .seed = seed};
      options.settings.flat_reduce = 64;
      options.settings.segment = seed % 2 == 0 ? 64 : 1000;
      options.settings.ring_from = seed % 4 < 2 ? 0 : 100;
      options.settings.rounds_exchange = seed % 2 == 0 ? 256 : 10;
      for (Rank i = 0; i < nodes; ++i) {
        options.hosts.push_back(seed % 3 == 0 ? 0 : seed % 3 == 1 ? i : i % 3);
      }
      const Settings settings = options.settings;
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
      wish.form = kind <= Kind::kExchange
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

INSTANTIATE_TEST_SUITE_P(, ScheduleTest, ::testing::Range(0u, kKinds));

// ---- leaders

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

// The blocks of each host but the root's, by its first node.
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

// Of the hosts, or of all where nodes say which they have.
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
    const Wish wish = {.kind = static_cast<Kind>(GetParam()),
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

  // Between the root and each host, all of its blocks or each by itself.
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
      ASSERT_EQ(wish.kind == Kind::kScatter ? it.from : it.to, root);
      const Rank other = wish.kind == Kind::kScatter ? it.to : it.from;
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

  size_t led_ = 0;  // messages of several blocks, or of one
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
    ::testing::Values(static_cast<unsigned>(Kind::kScatter),
                      static_cast<unsigned>(Kind::kGather)));

}  // namespace
}  // namespace gasnet::coll
