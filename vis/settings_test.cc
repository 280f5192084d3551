// Tests the meaning of the environment variables of transfers in pieces.
#include "vis/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <utility>
#include <vector>

#include "vis/packet_writer.h"

namespace gasnet::vis {
namespace {

constexpr size_t kMedium = 1000;

// Sets variables in this process's own environment, and returns the settings. A
// process without a job reads this environment.
VisSettings From(const std::vector<std::pair<const char*, const char*>>& set) {
  for (const auto& [name, value] : set) EXPECT_EQ(setenv(name, value, 1), 0);
  const VisSettings settings = SettingsFromEnvironment(kMedium);
  for (const auto& [name, value] : set) EXPECT_EQ(unsetenv(name), 0);
  return settings;
}

TEST(SettingsTest, AllIsPackedThatAMessageTakes) {
  const size_t most = PacketWriter::LargestRun(kMedium, kMedium);
  const VisSettings usual = From({});
  EXPECT_TRUE(usual.Shares(true));
  EXPECT_TRUE(usual.Shares(false));
  EXPECT_TRUE(usual.joins);
  EXPECT_EQ(usual.largest_put_chunk, most);
  EXPECT_EQ(usual.largest_get_chunk, most);
}

TEST(SettingsTest, ContiguousRemoteSidesAreAMatterOfTheirOwn) {
  const VisSettings contiguous = From({{"GASNET_VIS_AMPIPE", "no"}});
  EXPECT_TRUE(contiguous.Shares(true));
  EXPECT_FALSE(contiguous.Shares(false));
  const VisSettings apart = From({{"GASNET_VIS_REMOTECONTIG", "no"}});
  EXPECT_TRUE(apart.Shares(true));
  EXPECT_TRUE(apart.Shares(false));
  EXPECT_FALSE(apart.joins);
  const VisSettings none =
      From({{"GASNET_VIS_AMPIPE", "no"}, {"GASNET_VIS_REMOTECONTIG", "no"}});
  EXPECT_FALSE(none.Shares(true));
  EXPECT_FALSE(none.Shares(false));
}

TEST(SettingsTest, ChunksAreOfBothKindsOrOfOne) {
  const VisSettings both = From({{"GASNET_VIS_MAXCHUNK", "100"}});
  EXPECT_EQ(both.largest_put_chunk, 100u);
  EXPECT_EQ(both.largest_get_chunk, 100u);
  const VisSettings puts = From(
      {{"GASNET_VIS_MAXCHUNK", "100"}, {"GASNET_VIS_PUT_MAXCHUNK", "200"}});
  EXPECT_EQ(puts.largest_put_chunk, 200u);
  EXPECT_EQ(puts.largest_get_chunk, 100u);
  const VisSettings gets =
      From({{"GASNET_VIS_MAXCHUNK", "100"}, {"GASNET_VIS_GET_MAXCHUNK", "0"}});
  EXPECT_EQ(gets.largest_put_chunk, 100u);
  EXPECT_EQ(gets.largest_get_chunk, 0u);
}

TEST(SettingsTest, NoChunkIsLargerThanAMessage) {
  const size_t most = PacketWriter::LargestRun(kMedium, kMedium);
  const VisSettings large =
      From({{"GASNET_VIS_MAXCHUNK", "1G"}, {"GASNET_VIS_GET_MAXCHUNK", "8T"}});
  EXPECT_EQ(large.largest_put_chunk, most);
  EXPECT_EQ(large.largest_get_chunk, most);
}

}  // namespace
}  // namespace gasnet::vis
