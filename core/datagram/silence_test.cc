// Tests the reports about silent peers. A peer may be silent from the start or
// fall silent later, because something blocks the network.
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

class SilenceTest : public ::testing::Test {
 protected:
  SilenceTest() : cluster_({.ranks = 4}, OptionsThatReport()) {
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

  std::vector<Rank> told_;
  std::vector<Rank> told_heard_;
  int calls_ = 0;
  int calls_in_doubt_ = 0;  // the calls that give no notice yet
  DatagramStatistics when_told_;
  testing::Cluster cluster_;

 private:
  DatagramOptions OptionsThatReport() {
    DatagramOptions options;
    options.timing.silence_notice = 5 * kSecond;
    options.on_silence = [this](Rank peer, int64_t silence, bool heard) {
      EXPECT_GE(silence, 5 * kSecond);
      (heard ? told_heard_ : told_).push_back(peer);
      // Simulates a signal handler that interrupts the holder of the endpoint's
      // lock. If the handler took the lock, it would wait forever.
      when_told_ = cluster_.node(0).endpoint().statistics();
      return ++calls_ > calls_in_doubt_;
    };
    return options;
  }
};

TEST_F(SilenceTest, IsToldOfOnce) {
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(0, 4 * kSecond);
  EXPECT_TRUE(told_.empty());
  PollFor(0, 20 * kSecond);
  ASSERT_EQ(Send(2), am::Post::kDone);
  PollFor(0, 20 * kSecond);
  EXPECT_EQ(told_, std::vector<Rank>{1});
  EXPECT_TRUE(told_heard_.empty());
}

TEST_F(SilenceTest, IsToldOfUntilTheNoticeIsGiven) {
  calls_in_doubt_ = 2;
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(0, 40 * kSecond);
  EXPECT_EQ(told_, (std::vector<Rank>{1, 1, 1}));
}

TEST_F(SilenceTest, StatisticsAreReadWhileTheLockIsHeld) {
  ASSERT_EQ(Send(), am::Post::kDone);
  PollFor(0, 6 * kSecond);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(when_told_.messages_sent, 1u);
  EXPECT_GT(when_told_.timeouts, 3u);
  EXPECT_EQ(when_told_.messages_delivered, 0u);
}

TEST_F(SilenceTest, OfWhoWasHeardBeforeIsToldOnceToo) {
  for (const Rank peer : {1u, 2u}) {
    ASSERT_EQ(Send(peer), am::Post::kDone);
    PollFor(peer, kSecond);
    PollFor(0, kSecond);
  }
  EXPECT_EQ(handled, 2);
  for (const Rank peer : {1u, 2u}) {
    ASSERT_EQ(Send(peer), am::Post::kDone);
    PollFor(0, 4 * kSecond);
    EXPECT_EQ(told_heard_.size(), peer - 1);
    PollFor(0, 20 * kSecond);
    EXPECT_EQ(told_heard_, std::vector<Rank>{1});
  }
  EXPECT_TRUE(told_.empty());
  // The report about a peer that was heard does not replace the report about a
  // peer that was never heard.
  ASSERT_EQ(Send(3), am::Post::kDone);
  PollFor(0, 20 * kSecond);
  EXPECT_EQ(told_, std::vector<Rank>{3});
}

TEST_F(SilenceTest, WhoAnswersNowAndThenIsNotSilent) {
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(Send(), am::Post::kDone);
    PollFor(0, 4 * kSecond);
    PollFor(1, kSecond);
    PollFor(0, kSecond);
  }
  EXPECT_EQ(handled, 8);
  EXPECT_GT(cluster_.node(0).endpoint().statistics().timeouts, 8u);
  EXPECT_TRUE(told_heard_.empty());
}

}  // namespace
}  // namespace gasnet::datagram
