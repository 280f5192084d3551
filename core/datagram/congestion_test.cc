// Tests the congestion window and timeouts.
#include "core/datagram/congestion.h"

#include <cstdint>

#include "core/datagram/channel_options.h"
#include "core/datagram/round_trip.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

TEST(RoundTripTest, FollowsTheSamplesAndStaysWithinBounds) {
  RoundTrip estimate;
  const Timing timing;
  EXPECT_EQ(estimate.Timeout(timing, 0), timing.initial_timeout);
  for (int i = 0; i < 100; ++i) estimate.Sample(50'000);
  EXPECT_NEAR(static_cast<double>(estimate.ReorderTime()), 62'500, 1250);
  EXPECT_EQ(estimate.Timeout(timing, 0), timing.min_timeout);
  EXPECT_EQ(estimate.Timeout(timing, 3), 8 * timing.min_timeout);
  EXPECT_EQ(estimate.Timeout(timing, 1000), timing.max_timeout);
  RoundTrip hurries = estimate;
  hurries.Hurry();
  EXPECT_EQ(hurries.Timeout(timing, 1000), timing.min_timeout);
  estimate.Sample(1'000'000'000);
  EXPECT_LT(estimate.Timeout(timing, 0), 5'000'000) << "the peer computed";
  for (int i = 0; i < 100; ++i) estimate.Sample(5'000'000);
  EXPECT_GT(estimate.Timeout(timing, 0), 5'000'000);
  EXPECT_FALSE(estimate.IsPossible(49'999));
  EXPECT_TRUE(estimate.IsPossible(50'000));
}

TEST(CongestionTest, DoublesARoundThenGrowsByOne) {
  Congestion congestion;
  const uint32_t first = congestion.window();
  congestion.OnAcknowledged(first, true, 1000);
  EXPECT_EQ(congestion.window(), 2 * first);
  congestion.OnLoss(1, 50);
  const uint32_t shrunk = congestion.window();
  EXPECT_LT(shrunk, 2 * first);
  congestion.OnAcknowledged(shrunk, true, 1000);
  EXPECT_EQ(congestion.window(), shrunk + 1 - 1 / shrunk);
}

TEST(CongestionTest, ALossCountsOnceARound) {
  Congestion congestion;
  congestion.OnLoss(3, 20);
  const uint32_t shrunk = congestion.window();
  for (uint64_t order = 4; order <= 20; ++order) congestion.OnLoss(order, 30);
  EXPECT_EQ(congestion.window(), shrunk);
  congestion.OnLoss(21, 40);
  EXPECT_LT(congestion.window(), shrunk);
  for (uint64_t order = 50; order < 1000; ++order) {
    congestion.OnLoss(order, order);
  }
  EXPECT_EQ(congestion.window(), 2u);
}

TEST(CongestionTest, ATimeoutThatWasNoneIsTakenBack) {
  Congestion congestion;
  const uint32_t before = congestion.window();
  congestion.OnTimeout(10, true);
  congestion.OnTimeout(11, true);
  EXPECT_EQ(congestion.window(), 1u);
  congestion.OnSpuriousTimeout();
  EXPECT_EQ(congestion.window(), before);
  congestion.OnTimeout(12, true);
  congestion.OnRecovered();
  congestion.OnSpuriousTimeout();
  EXPECT_EQ(congestion.window(), 1u);
}

// Returns the number of rounds of acknowledgements until the window has at
// least `wanted` packets.
int RoundsTo(Congestion& congestion, uint32_t wanted) {
  int rounds = 0;
  for (; congestion.window() < wanted; ++rounds) {
    for (uint32_t left = congestion.window(); left > 0; --left) {
      congestion.OnAcknowledged(1, true, wanted);
    }
  }
  return rounds;
}

TEST(CongestionTest, OnlyATimeoutOfAFullWindowSlowsTheWayBackUp) {
  Congestion busy;
  Congestion idle;
  const uint32_t before = busy.window();
  for (int i = 0; i < 3; ++i) {
    busy.OnTimeout(10, true);
    idle.OnTimeout(10, false);
  }
  busy.OnRecovered();
  idle.OnRecovered();
  EXPECT_EQ(busy.window(), 1u);
  EXPECT_EQ(idle.window(), 1u);
  EXPECT_EQ(RoundsTo(idle, before), 4) << "it doubles";
  // The window doubles up to seven tenths of its old size, then grows by one
  // packet a round. The result does not depend on the number of losses of the
  // packet.
  EXPECT_EQ(RoundsTo(busy, before), 4 + 4);
}

TEST(CongestionTest, AnIdleOrBoundedWindowDoesNotGrow) {
  Congestion congestion;
  const uint32_t before = congestion.window();
  congestion.OnAcknowledged(10, false, 1000);
  EXPECT_EQ(congestion.window(), before);
  for (int i = 0; i < 100; ++i) congestion.OnAcknowledged(10, true, 64);
  EXPECT_EQ(congestion.window(), 64u);
}

}  // namespace
}  // namespace gasnet::datagram
