#include "core/datagram/channel_table.h"

#include "core/datagram/tuning.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

constexpr size_t kWindowBytes = size_t{1} << 20;
constexpr uint16_t kWhole = kWindowBytes / kLanes / 1024;
constexpr int64_t kEpoch = kShareEpoch;

class ChannelTableTest : public ::testing::Test {
 protected:
  void Hear(Rank peer, int64_t now) { table_.NoteSender(table_.To(peer), now); }

  const PathSizes sizes_{0, 1472};
  ChannelTable table_{100, kWindowBytes, sizes_};
};

TEST_F(ChannelTableTest, SendersShareTheWindow) {
  EXPECT_EQ(table_.WindowToOffer(), kWhole);
  for (Rank peer = 0; peer < 4; ++peer) Hear(peer, 1);
  EXPECT_EQ(table_.WindowToOffer(), kWhole / 4);
  for (Rank peer = 0; peer < 4; ++peer) Hear(peer, 2);
  EXPECT_EQ(table_.WindowToOffer(), kWhole / 4) << "the same senders";
}

TEST_F(ChannelTableTest, WhoStopsSendingGivesItsShareBack) {
  for (Rank peer = 0; peer < 4; ++peer) Hear(peer, 0);
  Hear(0, kEpoch);
  EXPECT_EQ(table_.WindowToOffer(), kWhole / 4) << "a moment ago there were 4";
  Hear(0, 2 * kEpoch);
  EXPECT_EQ(table_.WindowToOffer(), kWhole);
  for (Rank peer = 0; peer < 4; ++peer) Hear(peer, 3 * kEpoch);
  Hear(0, 9 * kEpoch);
  EXPECT_EQ(table_.WindowToOffer(), kWhole) << "nobody for long";
}

// A thread that was in handlers may pass an earlier time than another thread
// has passed before.
TEST_F(ChannelTableTest, ATimeOfBeforeForgetsNoSender) {
  for (Rank peer = 0; peer < 4; ++peer) Hear(peer, kEpoch);
  Hear(4, kEpoch - 1);
  EXPECT_EQ(table_.WindowToOffer(), kWhole / 5);
  Hear(4, kEpoch);
  EXPECT_EQ(table_.WindowToOffer(), kWhole / 5) << "it was counted";
}

}  // namespace
}  // namespace gasnet::datagram
