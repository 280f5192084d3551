// Peers from which nothing ever comes: a firewall may stand between.
#include <cstdint>
#include <vector>

#include "core/datagram/statistics.h"
#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr uint8_t kHandler = am::kFirstClientHandler;

int handled;
void OnMessage(void*) { ++handled; }

class UnheardTest : public ::testing::Test {
 protected:
  UnheardTest() : cluster_({}, OptionsThatTell()) {
    handled = 0;
    cluster_.Register(kHandler, &OnMessage);
  }

  am::Post Send() {
    return cluster_.node(0).Send(1, am::Lane::kRequest, {.handler = kHandler});
  }
  // Time passes, in which only this rank looks.
  void PollFor(Rank rank, int64_t nanos) {
    auto& network = cluster_.network();
    for (const int64_t end = network.Now() + nanos; network.Now() < end;) {
      network.AdvanceTo(network.Now() + 1'000'000);
      cluster_.node(rank).Poll();
    }
  }

  std::vector<Rank> told_;
  Statistics when_told_;
  testing::Cluster cluster_;

 private:
  Options OptionsThatTell() {
    Options options;
    options.timing.unheard_notice = 5 * kSecond;
    options.on_unheard = [this](Rank peer, int64_t silence) {
      EXPECT_GE(silence, 5 * kSecond);
      told_.push_back(peer);
      // As a signal handler that interrupts who holds the endpoint's lock: this
      // would wait for ever if it took it.
      when_told_ = cluster_.node(0).endpoint().statistics();
    };
    return options;
  }
};

TEST_F(UnheardTest, IsToldOfOnce) {
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(0, 4 * kSecond);
  EXPECT_TRUE(told_.empty());
  PollFor(0, 20 * kSecond);
  EXPECT_EQ(told_, std::vector<Rank>{1});
}

TEST_F(UnheardTest, StatisticsAreReadWhileTheLockIsHeld) {
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(0, 6 * kSecond);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(when_told_.messages_sent, 1u);
  EXPECT_GT(when_told_.timeouts, 3u);
  EXPECT_EQ(when_told_.messages_delivered, 0u);
}

TEST_F(UnheardTest, WhoWasHeardMayBeSilent) {
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(1, kSecond);
  EXPECT_EQ(handled, 1);
  PollFor(0, kSecond);
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(0, 20 * kSecond);
  EXPECT_TRUE(told_.empty());
  EXPECT_GT(cluster_.node(0).endpoint().statistics().timeouts, 3u);
}

}  // namespace
}  // namespace gasnet::datagram
