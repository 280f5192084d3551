// Tests the simulation itself. A run must depend only on its seed, and
// simulated buffers must fill like those of Portals. The golden file has the
// statistics of rank 0 of one job.
#include "conduits/portals/credits/testing/world.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "conduits/portals/credits/statistics.h"
#include "conduits/portals/credits/testing/patterns.h"
#include "conduits/portals/credits/testing/sim_receive_buffers.h"

namespace gasnet::portals_conduit::credits {
namespace {

constexpr const char* kGolden =
    "conduits/portals/credits/testing/golden_statistics.txt";

std::string StatisticsOfSeed(uint64_t seed) {
  WorldOptions options = {.ranks = 6,
                          .pattern = Anybody(200, 8),
                          .rounds = 20,
                          .clients = 2,
                          .seed = seed};
  options.settings.per_node = 30;
  options.settings.bank = 20;
  options.settings.epoch_duration = 200;
  options.settings.receive_space = 64 << 10;
  World world(options);
  EXPECT_EQ(world.Run(), "");
  return StatisticsText(world.credits(0));
}

TEST(WorldTest, StatisticsAreAsTheyWere) {
  std::stringstream golden;
  golden << std::ifstream(kGolden).rdbuf();
  EXPECT_EQ(StatisticsOfSeed(1), golden.str());
}

TEST(WorldTest, DependsOnTheSeedAlone) {
  EXPECT_EQ(StatisticsOfSeed(7), StatisticsOfSeed(7));
  EXPECT_NE(StatisticsOfSeed(7), StatisticsOfSeed(8));
}

TEST(ReceiveBuffersTest, AreFilledButForTheLastChunk) {
  SimReceiveBuffers buffers(2, 4 * 1024, 1024);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(buffers.Take(1024), 0);
  EXPECT_EQ(buffers.Take(1), 0) << "a chunk is left";
  EXPECT_EQ(buffers.Take(1024), 1) << "less is left";
}

TEST(ReceiveBuffersTest, AreUsedAgainWhenAllIsHandled) {
  SimReceiveBuffers buffers(2, 2 * 1024, 1024);
  EXPECT_EQ(buffers.Take(1024), 0);
  buffers.Handled(0);
  EXPECT_EQ(buffers.Take(1024), 0) << "it was not full";
  EXPECT_EQ(buffers.Take(1024), 1);
  EXPECT_EQ(buffers.Take(1024), 1);
  EXPECT_EQ(buffers.Take(1), -1);
  buffers.Handled(1);
  EXPECT_EQ(buffers.Take(1), -1) << "one of two is still there";
  buffers.Handled(1);
  EXPECT_EQ(buffers.Take(1), 1);
}

}  // namespace
}  // namespace gasnet::portals_conduit::credits
