// Tests collectives among simulated nodes: every kind in every mode, and random
// programs with many operations in flight. The simulated memory checks every
// access of the engine (testing/world.h).
//
// A failing test prints its seed. COLL_WORLD_SEED sets the first seed,
// COLL_WORLD_RUNS the number of runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "coll/split.h"
#include "coll/testing/program.h"
#include "coll/testing/world.h"
#include "coll/tuning.h"

namespace gasnet::coll {
namespace {

using testing::CallMaker;
using testing::How;
using testing::kHows;
using testing::Program;
using testing::SimTeam;
using testing::Wish;
using testing::World;
using testing::WorldOptions;

constexpr Rank kNodes[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 33};

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}
uint64_t FirstSeed() { return FromEnvironment("COLL_WORLD_SEED", 1); }

// Returns settings with small sizes, so that parts travel in every way with
// little memory. Some of the settings are legal but unreasonable.
CollSettings RandomSettings(std::mt19937_64& random) {
  const auto one_of = [&](std::initializer_list<size_t> values) {
    return values.begin()[random() % values.size()];
  };
  CollSettings settings = {.eager_near = 96,
                           .eager_far = 128,
                           .push_from = 97,
                           .push_to = 1024,
                           .flat_reduce = 64,
                           .flat_far = one_of({1, 2, 4, 8}),
                           .flat_near = one_of({1, 3, 6, 16}),
                           .chain_from = one_of({2, 5, SIZE_MAX}),
                           .central_from = one_of({2, 4, SIZE_MAX}),
                           .segment = one_of({0, 100, 1000}),
                           .ring_from = one_of({0, 129, SIZE_MAX}),
                           .rounds_gather = one_of({0, 200, 65536}),
                           .rounds_exchange = one_of({0, 12, 256}),
                           .leaders = one_of({0, 60, 4096, 4096})};
  if (random() % 4 != 0) return settings;
  settings.eager_near = one_of({0, 11, 96, 2000});
  settings.eager_far = one_of({0, 11, 128, 2000});
  settings.push_from = one_of({0, 50, 3000});
  settings.push_to = one_of({0, 1024, 4000});
  settings.flat_reduce = one_of({0, 30, 1000, SIZE_MAX});
  settings.flat_far = one_of({1, 2, SIZE_MAX});
  return settings;
}

enum class Placement : uint8_t { kNear, kFar, kMixed };

WorldOptions OptionsOf(Rank nodes, Placement placement, uint64_t seed) {
  std::mt19937_64 random(seed);
  WorldOptions options = {.nodes = nodes};
  options.settings = RandomSettings(random);
  options.processors = random() % 2 == 0 ? 2 : 100;
  options.seed = seed;
  options.in_order = random() % 3 == 0;
  options.lands = random() % 2 == 0;
  options.preempt_one_in = random() % 2 == 0 ? 0 : 10;
  const Rank hosts = placement == Placement::kNear  ? 1
                     : placement == Placement::kFar ? nodes
                                                    : 1 + nodes / 3;
  for (Rank rank = 0; rank < nodes; ++rank) {
    options.hosts.push_back(placement == Placement::kFar
                                ? rank
                                : static_cast<uint32_t>(random() % hosts));
    options.segments.push_back(placement != Placement::kMixed ||
                               random() % 8 != 0);
  }
  options.meets_in_memory = placement == Placement::kNear && random() % 2 == 0;
  // If each read of the clock takes kPatience, nodes send inquiries all the
  // time.
  options.nanos_per_look = random() % 2 == 0 ? 0 : kPatience;
  return options;
}

std::vector<uint32_t> RandomImages(Rank nodes, std::mt19937_64& random) {
  const uint32_t most = random() % 2 == 0 ? 1 : 3;
  std::vector<uint32_t> images(nodes);
  for (uint32_t& some : images) {
    some = 1 + static_cast<uint32_t>(random() % most);
  }
  return images;
}

std::vector<Rank> All(Rank nodes) {
  std::vector<Rank> ranks(nodes);
  for (Rank i = 0; i < nodes; ++i) ranks[i] = i;
  return ranks;
}

// ---- every kind in every mode
// ---------------------------------------------------

class EveryMode
    : public ::testing::TestWithParam<std::tuple<unsigned, Placement>> {};

TEST_P(EveryMode, KeepsWhatItPromises) {
  const auto kind = static_cast<CollectiveKind>(std::get<0>(GetParam()));
  const Placement placement = std::get<1>(GetParam());
  uint64_t seed = FirstSeed() * 1000003 + std::get<0>(GetParam()) * 7919;
  for (size_t which = 0; which < std::size(kNodes); ++which) {
    const Rank nodes = kNodes[which];
    for (unsigned modes = 0; modes < 9; ++modes) {
      ++seed;
      // With many nodes, only a fifth of the cases run. Each mode still occurs
      // with some kind.
      if (nodes > 5 && (modes + which + std::get<0>(GetParam())) % 5 != 0) {
        continue;
      }
      World world(OptionsOf(nodes, placement, seed));
      Program program(world);
      SimTeam& team =
          program.AddTeam(All(nodes), RandomImages(nodes, world.random()));
      CallMaker maker(world);
      std::string names;
      for (unsigned i = 0; i < 4; ++i) {
        Wish wish = maker.RandomWish();
        if (kind > CollectiveKind::kExchange) wish.form = BlockMap::Form::kTeam;
        if (kind <= CollectiveKind::kExchange) {
          wish.form = static_cast<BlockMap::Form>(i % 3);
        }
        wish.kind = kind;
        wish.in = static_cast<SyncMode>(modes % 3);
        wish.out = static_cast<SyncMode>(modes / 3);
        names += wish.Name() + "\n";
        program.Add(maker.Make(wish, team));
      }
      program.Run(100 * nodes);
      ASSERT_EQ(world.memory().violations(), std::vector<std::string>{})
          << "seed " << seed << ", " << nodes << " nodes, placement "
          << static_cast<int>(placement) << "\n"
          << names;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    , EveryMode,
    ::testing::Combine(::testing::Range(0u, kKinds),
                       ::testing::Values(Placement::kNear, Placement::kFar,
                                         Placement::kMixed)));

// ---- random programs
// ----------------------------------------------------------

// Adds random teams that are made by splitting `parent`.
void AddSplits(Program& program, const SimTeam& parent,
               std::mt19937_64& random) {
  const auto nodes = static_cast<Rank>(parent.ranks.size());
  std::vector<SplitWish> wishes(nodes);
  for (SplitWish& wish : wishes) {
    wish.color = static_cast<int64_t>(random() % 3);
    wish.key = static_cast<int64_t>(random() % 4) - 2;
  }
  std::vector<bool> done(3);
  for (Rank me = 0; me < nodes; ++me) {
    if (done[wishes[me].color]) continue;
    done[wishes[me].color] = true;
    const Team seen({.id = 0,
                     .me = me,
                     .ranks = parent.ranks,
                     .images = parent.images,
                     .near = std::vector<bool>(nodes),
                     .hosts = std::vector<uint32_t>(nodes)});
    const SplitResult result = SplitTeam(seen, wishes);
    program.AddTeam(result.ranks, result.images);
  }
}

void RunRandomProgram(uint64_t seed, Rank most_nodes, size_t most_calls) {
  std::mt19937_64 random(seed);
  Rank nodes = 0;
  do {
    nodes = kNodes[random() % std::size(kNodes)];
  } while (nodes > most_nodes);
  World world(
      OptionsOf(nodes, static_cast<Placement>(random() % 3), seed * 31));
  Program program(world);
  const SimTeam& all = program.AddTeam(All(nodes), RandomImages(nodes, random));
  for (size_t i = random() % 3; i > 0; --i) AddSplits(program, all, random);
  CallMaker maker(world);
  for (size_t i = 1 + random() % most_calls; i > 0; --i) {
    SimTeam& team =
        *program.teams()[random() % 2 == 0 ? 0
                                           : random() % program.teams().size()];
    program.Add(maker.Make(maker.RandomWish(), team));
  }
  program.Run(random() % (60 * nodes * most_calls));
  ASSERT_EQ(world.memory().violations(), std::vector<std::string>{})
      << "seed " << seed << ", " << nodes << " nodes";
}

// Tests OUT_ALLSYNC on two nodes. If the root owns all blocks, the second node
// gets no data from the root. So data cannot tell it that the root has
// finished.
TEST(TeamsOfTwo, LeaveTogetherWhoeverHasTheBlocks) {
  for (uint64_t seed = FirstSeed(); seed < FirstSeed() + 300; ++seed) {
    World world(OptionsOf(2, static_cast<Placement>(seed % 2), seed));
    Program program(world);
    SimTeam& team = program.AddTeam(All(2), {1, 1});
    CallMaker maker(world);
    for (const CollectiveKind kind :
         {CollectiveKind::kScatter, CollectiveKind::kBroadcast,
          CollectiveKind::kGather}) {
      Wish wish = maker.RandomWish();
      wish.kind = kind;
      wish.out = SyncMode::kAll;
      wish.nbytes = 10;
      wish.form =
          seed % 4 < 2 ? BlockMap::Form::kListed : BlockMap::Form::kClaimed;
      program.Add(maker.Make(wish, team));
    }
    program.Run(200);
    ASSERT_EQ(world.memory().violations(), std::vector<std::string>{})
        << "seed " << seed;
  }
}

// Tests that two nodes learn each other's bases again after exchanging no
// message for many operations. Those operations were rooted at other nodes or
// went along a chain.
TEST(SilentPairs, SpeakAgain) {
  uint64_t seed = FirstSeed();
  for (const uint32_t silent : {31u, 32767u, 32768u, 40000u, 65536u, 200000u}) {
    for (const Placement placement : {Placement::kNear, Placement::kFar}) {
      World world(OptionsOf(5, placement, ++seed));
      Program program(world);
      SimTeam& team = program.AddTeam(All(5), {1, 1, 1, 1, 1});
      program.Run(0);
      for (Team* const at : team.at) {
        at->next = at->started = 1 + silent;
        at->window.SetBase(1 + silent);
      }
      CallMaker maker(world);
      for (unsigned i = 0; i < 40; ++i) {
        program.Add(maker.Make(maker.RandomWish(), team));
      }
      program.Run(0);
      ASSERT_EQ(world.memory().violations(), std::vector<std::string>{})
          << "seed " << seed << ", silent for " << silent;
    }
  }
}

TEST(Crowds, PrefixesInPlace) {
  for (uint64_t seed = FirstSeed(); seed < FirstSeed() + 60; ++seed) {
    const auto nodes = static_cast<Rank>(2 + seed % 16);
    WorldOptions options = OptionsOf(nodes, Placement::kNear, seed);
    options.settings.central_from = 2;
    options.settings.flat_reduce = 64;
    options.processors = 1;
    World world(options);
    Program program(world);
    SimTeam& team =
        program.AddTeam(All(nodes), std::vector<uint32_t>(nodes, 1));
    CallMaker maker(world);
    for (unsigned i = 0; i < 40; ++i) {
      Wish wish = maker.RandomWish();
      wish.kind = CollectiveKind::kPrefixReduce;
      wish.form = BlockMap::Form::kTeam;
      wish.how = static_cast<How>(i % kHows);
      wish.nbytes = 24;
      wish.in_place = true;
      program.Add(maker.Make(wish, team));
    }
    program.Run(100 * nodes);
    ASSERT_EQ(world.memory().violations(), std::vector<std::string>{})
        << "seed " << seed << ", " << nodes << " nodes";
  }
}

TEST(RandomPrograms, OfFewNodes) {
  const uint64_t runs = FromEnvironment("COLL_WORLD_RUNS", 400);
  for (uint64_t seed = FirstSeed(); seed < FirstSeed() + runs; ++seed) {
    RunRandomProgram(seed, 5, 12);
    if (HasFatalFailure()) return;
  }
}

TEST(RandomPrograms, BeyondTheWindow) {
  const uint64_t runs = FromEnvironment("COLL_WORLD_RUNS", 60);
  for (uint64_t seed = FirstSeed(); seed < FirstSeed() + runs; ++seed) {
    RunRandomProgram(seed + 1000000, 5, 200);
    if (HasFatalFailure()) return;
  }
}

TEST(RandomPrograms, OfManyNodes) {
  const uint64_t runs = FromEnvironment("COLL_WORLD_RUNS", 20);
  for (uint64_t seed = FirstSeed(); seed < FirstSeed() + runs; ++seed) {
    RunRandomProgram(seed + 2000000, 33, 20);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gasnet::coll
