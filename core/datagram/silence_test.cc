// Tests the silence of peers. A peer may be silent from the start or fall
// silent later, because something blocks the network.
#include <cstdint>
#include <optional>

#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr uint8_t kHandler = am::kFirstClientHandler;

int handled;
void OnMessage(void*) { ++handled; }

class SilenceTest : public ::testing::Test {
 protected:
  SilenceTest() : cluster_({.ranks = 4}, DatagramOptions()) {
    handled = 0;
    cluster_.Register(kHandler, &OnMessage);
  }

  am::Post Send(Rank peer = 1) {
    return cluster_.node(0).Send(peer, am::Lane::kRequest,
                                 {.handler = kHandler});
  }
  // Lets time pass while only this rank polls.
  void PollFor(Rank rank, int64_t nanos) {
    auto& network = cluster_.network();
    for (const int64_t end = network.Now() + nanos; network.Now() < end;) {
      network.AdvanceTo(network.Now() + 1'000'000);
      cluster_.node(rank).Poll();
    }
  }
  std::optional<DatagramEndpoint::Silence> Longest() {
    return cluster_.node(0).endpoint().LongestSilence();
  }
  // Returns the seconds of the longest silence, rounded down.
  int64_t Seconds() {
    return (cluster_.network().Now() - Longest()->since) / kSecond;
  }

  testing::Cluster cluster_;
};

TEST_F(SilenceTest, BeginsWithTheFirstTimeout) {
  EXPECT_FALSE(Longest());
  ASSERT_EQ(Send(), am::Post::kDone);
  EXPECT_FALSE(Longest());
  PollFor(0, 20 * kSecond);
  ASSERT_TRUE(Longest());
  EXPECT_EQ(Longest()->peer, 1u);
  EXPECT_EQ(Longest()->in_flight, 1u);
  EXPECT_EQ(Seconds(), 19);
  EXPECT_FALSE(cluster_.node(0).endpoint().HasHeard(1));
}

TEST_F(SilenceTest, IsThatOfThePeerThatIsSilentLongest) {
  ASSERT_EQ(Send(2), am::Post::kDone);
  PollFor(0, 5 * kSecond);
  ASSERT_EQ(Send(1), am::Post::kDone);
  ASSERT_EQ(Send(3), am::Post::kDone);
  ASSERT_EQ(Send(3), am::Post::kDone);
  PollFor(0, 5 * kSecond);
  EXPECT_EQ(Longest()->peer, 2u);
  EXPECT_EQ(Seconds(), 9);
  PollFor(2, kSecond);
  PollFor(0, kSecond);
  EXPECT_NE(Longest()->peer, 2u);
  EXPECT_EQ(Seconds(), 6);
}

TEST_F(SilenceTest, OfAPeerThatWasHeardBefore) {
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(1, kSecond);
  PollFor(0, kSecond);
  EXPECT_EQ(handled, 1);
  EXPECT_FALSE(Longest());
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(0, 4 * kSecond);
  ASSERT_TRUE(Longest());
  EXPECT_TRUE(cluster_.node(0).endpoint().HasHeard(1));
  EXPECT_FALSE(cluster_.node(0).endpoint().HasHeard(2));
}

TEST_F(SilenceTest, EndsWithEachAnswer) {
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(Send(), am::Post::kDone);
    PollFor(0, 4 * kSecond);
    EXPECT_EQ(Seconds(), 3) << i;
    PollFor(1, kSecond);
    PollFor(0, kSecond);
    EXPECT_FALSE(Longest()) << i;
  }
  EXPECT_EQ(handled, 8);
  EXPECT_GT(cluster_.node(0).endpoint().statistics().timeouts, 8u);
}

}  // namespace
}  // namespace gasnet::datagram
