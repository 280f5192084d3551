// Tests credits in whole simulated jobs. No pattern of traffic may lose
// credits. Credits must move to the ranks that use them, and stay there.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <string>

#include "base/sanitizer.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/testing/patterns.h"
#include "conduits/portals/credits/testing/world.h"

namespace gasnet::portals_conduit::credits {
namespace {

// Returns CREDITS_LENGTH, the factor by which runs are longer. Returns 1 if the
// variable is not set.
uint64_t Length() {
  const char* const length = getenv("CREDITS_LENGTH");
  return length == nullptr ? 1 : strtoull(length, nullptr, 10);
}

// Returns true if all lenders have completed the epoch.
bool IsWhole(const World& world, size_t epoch) {
  return epoch + 2 < world.epochs().size();
}

struct Case {
  const char* name;
  Pattern pattern;
  Rank ranks;
  uint64_t rounds;
  size_t chunk = 2048;
  uint16_t clients = 1;
  uint32_t servers = 1;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name << " of " << c.ranks;
}

WorldOptions Options(const Case& c) {
  return {.ranks = c.ranks,
          .pattern = c.pattern,
          .rounds = c.rounds * Length(),
          .clients = c.clients,
          .servers = c.servers,
          .chunk = c.chunk};
}

class EveryPatternTest : public testing::TestWithParam<Case> {};

TEST_P(EveryPatternTest, KeepsAllInvariants) {
  World world(Options(GetParam()));
  EXPECT_EQ(world.Run(), "");
  EXPECT_GT(world.served(), 0u);
}

TEST_P(EveryPatternTest, KeepsThemWithNoMoreThanTheLeast) {
  WorldOptions options = Options(GetParam());
  options.settings.per_node = static_cast<uint16_t>(options.chunk / 256);
  options.settings.bank = 0;
  options.settings.epoch_duration = 100;
  options.seed = 2;
  World world(options);
  EXPECT_EQ(world.Run(), "");
}

TEST_P(EveryPatternTest, KeepsThemWithSmallLimits) {
  WorldOptions options = Options(GetParam());
  options.settings.bank = 50;
  options.settings.max_per_node = 60;
  options.settings.lender_limit = 10;
  options.settings.revoke_limit = 3;
  options.settings.num_scavenge = 2;
  options.settings.epoch_duration = 30;
  options.seed = 3;
  World world(options);
  EXPECT_EQ(world.Run(), "");
}

TEST_P(EveryPatternTest, MovesNothingWhereCreditsAreStatic) {
  WorldOptions options = Options(GetParam());
  options.settings.mode = Mode::kStatic;
  World world(options);
  EXPECT_EQ(world.Run(), "");
  EXPECT_EQ(world.Sum().moved, 0u);
  EXPECT_EQ(world.Sum().system, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Simulation, EveryPatternTest,
    testing::Values(Case{"ring", Ring(100, 8), 2, 100},
                    Case{"hot target", HotTarget(50, 8), 5, 50},
                    Case{"hot target", HotTarget(20, 8), 200, 2, 2048, 1, 3},
                    Case{"ring", Ring(100, 4), 30, 10, 1024},
                    Case{"tree", Tree(20, 8), 100, 5},
                    Case{"ghosts", Ghosts(40, 4), 27, 5, 1024},
                    Case{"changing", Changing(3, 50, 8), 20, 24},
                    Case{"anybody", Anybody(100, 8), 3, 30, 2048, 4, 3},
                    Case{"anybody", Anybody(50, 8), 40, 6, 2048, 3, 2},
                    Case{"anybody", Anybody(20, 4), 500, 2, 1024}));

// Returns an exchange in which the messages to each neighbour take 640 credits.
WorldOptions GhostExchange() {
  WorldOptions options = {.ranks = 27,
                          .pattern = Ghosts(160, 4),
                          .rounds = 10 * Length(),
                          .chunk = 1024};
  options.settings.max_per_node = 1000;
  return options;
}

TEST(GhostExchangeTest, HasNoStallsAfterFiveEpochs) {
  WorldOptions options = GhostExchange();
  options.settings.bank = 6 * 640;
  World world(options);
  ASSERT_EQ(world.Run(), "");
  ASSERT_GT(world.epochs().size(), 8u);
  EXPECT_GT(world.epochs()[0].stalls, 0u);
  for (size_t epoch = 5; epoch < world.epochs().size(); ++epoch) {
    EXPECT_EQ(world.epochs()[epoch].stalls, 0u) << epoch;
    EXPECT_EQ(world.epochs()[epoch].moved, 0u) << epoch;
    EXPECT_EQ(world.epochs()[epoch].system, 0u) << epoch;
  }
}

TEST(GhostExchangeTest, MovesNothingAfterEightEpochsThoughThereIsNotEnough) {
  WorldOptions options = GhostExchange();
  options.rounds = 16;
  World world(options);
  ASSERT_EQ(world.Run(), "");
  EXPECT_TRUE(IsWhole(world, 10));
  EXPECT_GT(world.epochs()[8].stalls, 0u);
  for (size_t epoch = 8; IsWhole(world, epoch); ++epoch) {
    EXPECT_EQ(world.epochs()[epoch].moved, 0u) << epoch;
  }
}

// The credits that the old partner does not use are too few for a new partner.
TEST(ChangingPartnersTest, CreditsFollowWithinEightEpochs) {
  constexpr uint64_t kRounds = 240;
  constexpr unsigned kBurst = 80;
  WorldOptions options = {.ranks = 4,
                          .pattern = Changing(kRounds, kBurst, 4),
                          .rounds = 3 * kRounds,
                          .chunk = 1024};
  options.settings.per_node = 32;
  options.settings.bank = 300;
  World world(options);
  ASSERT_EQ(world.Run(), "");
  EXPECT_GT(world.Sum().system, 0u);
  // Ranks do not all change partners at one time. So the last epochs before the
  // next change are not examined.
  static_assert(kRounds * kBurst / 1024 >= 8 + 4 + 5);
  for (size_t phase = 0; phase < 3; ++phase) {
    const size_t begin = phase * kRounds * kBurst / 1024 + 1;
    uint64_t moved_first = 0;
    for (size_t i = 0; i < 8; ++i)
      moved_first += world.epochs()[begin + i].moved;
    for (size_t i = 8; i < 8 + 4; ++i) {
      const EpochCounts& epoch = world.epochs()[begin + i];
      EXPECT_LT(epoch.stalls * 10, epoch.requests) << phase << " " << i;
      EXPECT_LT(epoch.moved * 10, moved_first + 10) << phase << " " << i;
    }
  }
}

TEST(HotTargetTest, AsksFewInVain) {
  World world(
      {.ranks = 1000, .pattern = HotTarget(10, 8), .rounds = 2 * Length()});
  ASSERT_EQ(world.Run(), "");
  const Counters& counters = world.credits(0).counters();
  EXPECT_LE(world.Sum().system,
            counters.requests_served / 8 + counters.regained + 128);
}

TEST(QuietTest, WhoMissesNothingMovesNothing) {
  WorldOptions options = {
      .ranks = 16, .pattern = Ring(2, 4), .rounds = 500, .chunk = 1024};
  options.settings.bank = 0;
  options.settings.epoch_duration = 50;
  World world(options);
  ASSERT_EQ(world.Run(), "");
  EXPECT_GT(world.epochs().size(), 15u);
  EXPECT_EQ(world.Sum().stalls, 0u);
  EXPECT_EQ(world.Sum().moved, 0u);
  EXPECT_EQ(world.Sum().system, 0u);
}

TEST(QuietTest, SilenceCostsNothing) {
  World world({.ranks = 1000, .pattern = Silence(), .rounds = 3});
  ASSERT_EQ(world.Run(), "");
  EXPECT_EQ(world.served(), 0u);
  EXPECT_FALSE(world.credits(3).IsKnown(4));
}

// Skipped under sanitizers. Their shadow memory for 10000 peers does not fit.
class TenThousandTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kAddressSanitizer || kThreadSanitizer) {
      GTEST_SKIP()
          << "10^8 peers and a sanitizer's shadow of them are too much";
    }
  }
  static void Run(const Pattern& pattern) {
    World world({.ranks = 10'000,
                 .pattern = pattern,
                 .rounds = Length(),
                 .chunk = 1024});
    EXPECT_EQ(world.Run(), "");
    EXPECT_GT(world.served(), 50'000u);
  }
};

TEST_F(TenThousandTest, Tree) { Run(Tree(3, 4)); }
TEST_F(TenThousandTest, HotTarget) { Run(HotTarget(6, 4)); }
TEST_F(TenThousandTest, Anybody) { Run(Anybody(6, 4)); }

}  // namespace
}  // namespace gasnet::portals_conduit::credits
