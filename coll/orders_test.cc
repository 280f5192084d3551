// Tests a few nodes with every order in which they can begin operations and in
// which their messages can arrive. The possible orders form a tree of choices.
// The test takes each path through this tree, and each path starts with a new
// world. All nodes are driven after each event.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coll/testing/program.h"
#include "coll/testing/world.h"

namespace gasnet::coll {
namespace {

using testing::CallMaker;
using testing::Program;
using testing::SimTeam;
using testing::Wish;
using testing::World;
using testing::WorldOptions;

// A path through the tree of choices. Next visits the paths depth first.
class Path {
 public:
  // Returns a choice below n; n is at least 1.
  size_t Choose(size_t n) {
    if (at_ == choices_.size()) choices_.push_back({.is = 0, .of = n});
    EXPECT_EQ(choices_[at_].of, n) << "a run that cannot be repeated";
    return choices_[at_++].is;
  }
  // Advances to the next path. Returns false if all paths have been visited.
  bool Next() {
    at_ = 0;
    while (!choices_.empty() && ++choices_.back().is == choices_.back().of) {
      choices_.pop_back();
    }
    return !choices_.empty();
  }

 private:
  struct Choice {
    size_t is;
    size_t of;
  };
  std::vector<Choice> choices_;
  size_t at_ = 0;
};

struct Case {
  Rank nodes = 2;
  bool near = false;
  bool pairs = false;  // pairs of nodes share a host
  std::vector<Wish> wishes{};

  std::string Name() const {
    std::string text = near ? "near" : pairs ? "pairs" : "far";
    for (const Wish& wish : wishes) text += ", " + wish.Name();
    return text;
  }
};

WorldOptions OptionsOf(const Case& it, uint64_t seed) {
  WorldOptions options = {.nodes = it.nodes, .seed = seed};
  options.settings = {.eager_near = 16,
                      .eager_far = 16,
                      .push_from = 17,
                      .push_to = 40,
                      .flat_reduce = 16,
                      .segment = 24,
                      .ring_from = 17};
  options.arena_bytes = size_t{1} << 16;
  for (Rank i = 0; i < it.nodes; ++i) {
    options.hosts.push_back(it.near ? 0 : it.pairs ? i / 2 : i);
  }
  return options;
}

// Performs one of the possible next events: a node begins an operation, or a
// message arrives. Returns false if no event is possible.
bool HappenNext(World& world, Program& program, Path& path) {
  std::vector<Rank> beginners;
  for (Rank rank = 0; rank < world.nodes(); ++rank) {
    if (program.HasNext(rank)) beginners.push_back(rank);
  }
  const size_t events = beginners.size() + world.UnderWay();
  if (events == 0) return false;
  const size_t which = path.Choose(events);
  if (which < beginners.size()) {
    program.BeginNext(beginners[which]);
  } else {
    world.DeliverOne(which - beginners.size());
  }
  for (Rank rank = 0; rank < world.nodes(); ++rank) {
    world.Drive(rank);
    while (program.SyncSome(rank)) {
    }
  }
  return true;
}

void RunPath(const Case& it, uint64_t seed, Path& path) {
  World world(OptionsOf(it, seed));
  Program program(world);
  std::vector<Rank> ranks(it.nodes);
  for (Rank i = 0; i < it.nodes; ++i) ranks[i] = i;
  SimTeam& team = program.AddTeam(ranks, std::vector<uint32_t>(it.nodes, 1));
  for (const Rank rank : ranks) program.BeginNext(rank);
  CallMaker maker(world);
  for (const Wish& wish : it.wishes) program.Add(maker.Make(wish, team));
  while (!program.IsOver() && HappenNext(world, program, path)) {
  }
  // Completes the operations that are still under way. Then checks that no node
  // accessed memory against the rules.
  program.Run(0);
  ASSERT_EQ(world.memory().violations(), std::vector<std::string>{})
      << "seed " << seed << ", " << it.Name();
}

// Runs all paths and returns their number.
size_t RunAllPaths(const Case& it, uint64_t seed) {
  constexpr size_t kMax = 200000;
  Path path;
  size_t paths = 0;
  do {
    RunPath(it, seed, path);
    ++paths;
  } while (!::testing::Test::HasFatalFailure() && paths < kMax && path.Next());
  EXPECT_LT(paths, kMax) << "too many to see all: " << it.Name();
  return paths;
}

class EveryOrder : public ::testing::TestWithParam<unsigned> {
 protected:
  CollectiveKind kind() const {
    return static_cast<CollectiveKind>(GetParam());
  }
  // Returns true if operations of this kind ignore the nbytes of the wish,
  // because each block has a size of its own.
  bool HasSizes() const {
    return kind() >= CollectiveKind::kScatterV &&
           kind() <= CollectiveKind::kExchangeV;
  }
  void Run(const Case& it) { paths_ += RunAllPaths(it, 1 + GetParam()); }
  void TearDown() override {
    RecordProperty("paths", static_cast<int>(paths_));
  }

 private:
  size_t paths_ = 0;
};

// Returns all kinds except puts. A put sends the same messages as a get in the
// opposite direction. Several puts have too many orders to run all of them.
std::vector<unsigned> KindsButPut() {
  std::vector<unsigned> kinds;
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    if (static_cast<CollectiveKind>(kind) != CollectiveKind::kPut)
      kinds.push_back(kind);
  }
  return kinds;
}

constexpr size_t kEager = 12;
constexpr size_t kRendezvous = 36;

TEST_P(EveryOrder, OfOneOperationOfTwoInEachMode) {
  for (const bool near : {true, false}) {
    for (const size_t nbytes : {kEager, kRendezvous}) {
      if (nbytes == kRendezvous && HasSizes()) continue;
      for (unsigned modes = 0; modes < 9; ++modes) {
        Run({.near = near,
             .wishes = {{.kind = kind(),
                         .in = static_cast<SyncMode>(modes % 3),
                         .out = static_cast<SyncMode>(modes / 3),
                         .nbytes = nbytes}}});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(EveryOrder, OfTwoOperationsOfTwo) {
  for (const SyncMode out : {SyncMode::kNone, SyncMode::kMine}) {
    Run({.near = true,
         .wishes = {{.kind = kind(), .out = out, .nbytes = kEager},
                    {.kind = CollectiveKind::kBroadcast,
                     .out = out,
                     .nbytes = kEager}}});
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryOrder, ::testing::ValuesIn(KindsButPut()));

// Runs rooted operations on three nodes. Operations of other kinds have too
// many orders to run all of them.
class EveryOrderOfThree : public EveryOrder {};

TEST_P(EveryOrderOfThree, OfTwoRootedOperations) {
  Run({.nodes = 3,
       .wishes = {{.kind = kind(), .nbytes = kEager},
                  {.kind = CollectiveKind::kGather, .nbytes = kEager}}});
}

INSTANTIATE_TEST_SUITE_P(
    , EveryOrderOfThree,
    ::testing::Values(static_cast<unsigned>(CollectiveKind::kBroadcast),
                      static_cast<unsigned>(CollectiveKind::kScatter),
                      static_cast<unsigned>(CollectiveKind::kGather),
                      static_cast<unsigned>(CollectiveKind::kReduce)));

// Runs operations on two hosts of two nodes. The nodes of the host without the
// root send and receive through their leader, because two blocks of kLed bytes
// together are still eager.
class EveryOrderOfPairs : public EveryOrder {};

TEST_P(EveryOrderOfPairs, OfALedOperation) {
  constexpr size_t kLed = 8;
  for (const SyncMode in : {SyncMode::kNone, SyncMode::kMine}) {
    for (const SyncMode out : {SyncMode::kNone, SyncMode::kMine}) {
      Run({.nodes = 4,
           .pairs = true,
           .wishes = {{.kind = kind(), .in = in, .out = out, .nbytes = kLed}}});
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    , EveryOrderOfPairs,
    ::testing::Values(static_cast<unsigned>(CollectiveKind::kScatter),
                      static_cast<unsigned>(CollectiveKind::kGather)));

}  // namespace
}  // namespace gasnet::coll
