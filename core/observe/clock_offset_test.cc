// Tests of the estimate of clock offsets, with made-up rounds.
#include "core/observe/clock_offset.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

using Rounds = std::vector<ClockRound>;

void ExpectOffset(const ClockEstimate& estimate, int64_t nanos, int64_t error,
                  int64_t at) {
  EXPECT_EQ(estimate.offset.nanos, nanos);
  EXPECT_EQ(estimate.offset.error_nanos, error);
  EXPECT_EQ(estimate.offset.at_nanos, at);
}

// Rank 0's clock is 1000 ahead. On its own clock, rank 0 is in the round from
// 5000 to 5070, and the other rank from 4010 to 4080.
TEST(ClockOffset, OneRoundBoundsItFromBothSides) {
  const ClockEstimate estimate =
      EstimateOffset(Rounds{{5000, 5070, 4010, 4080}});
  // The offset is at least 5000 - 4080 and at most 5070 - 4010.
  ExpectOffset(estimate, 990, 70, 4045);
  EXPECT_FALSE(estimate.is_widened);
}

TEST(ClockOffset, ItIsNegativeIfRank0IsBehind) {
  ExpectOffset(EstimateOffset(Rounds{{100, 110, 5100, 5110}}), -5000, 10, 5105);
}

// The first round bounds the offset from below, and the second from above.
TEST(ClockOffset, RoundsAreIntersected) {
  const ClockEstimate estimate =
      EstimateOffset(Rounds{{1000, 1900, 0, 10}, {2000, 2040, 1000, 2000}});
  ExpectOffset(estimate, 1015, 25, 1000);
  EXPECT_FALSE(estimate.is_widened);
}

TEST(ClockOffset, TheErrorCoversTheWholeIntersection) {
  // The interval is 0 to 1.
  ExpectOffset(EstimateOffset(Rounds{{10, 11, 10, 10}}), 0, 1, 10);
}

TEST(ClockOffset, IntervalsThatTouchNeedNoWidening) {
  const ClockEstimate estimate =
      EstimateOffset(Rounds{{0, 10, 0, 0}, {10, 20, 0, 0}});
  ExpectOffset(estimate, 10, 0, 0);
  EXPECT_FALSE(estimate.is_widened);
}

// The intervals are 0 to 4, 100 to 300 and 310 to 400.
TEST(ClockOffset, ClocksThatDriftWidenIt) {
  const ClockEstimate estimate =
      EstimateOffset(Rounds{{0, 4, 0, 0}, {100, 300, 0, 0}, {310, 400, 0, 0}});
  EXPECT_TRUE(estimate.is_widened);
  // The estimate reaches from 0, the beginning of the narrowest interval, to
  // 310, the beginning of the last.
  ExpectOffset(estimate, 155, 155, 0);
}

// The same intervals as in the test above, negated and in the opposite order.
TEST(ClockOffset, ClocksThatDriftBackWidenIt) {
  const ClockEstimate estimate = EstimateOffset(
      Rounds{{-400, -310, 0, 0}, {-300, -100, 0, 0}, {-4, 0, 0, 0}});
  EXPECT_TRUE(estimate.is_widened);
  ExpectOffset(estimate, -155, 155, 0);
}

// No offset agrees with the round: the offset would have to be at most -90 and
// at least 0.
TEST(ClockOffset, AClockThatGoesBackWidensIt) {
  const ClockEstimate estimate = EstimateOffset(Rounds{{0, 10, 100, 0}});
  EXPECT_TRUE(estimate.is_widened);
  ExpectOffset(estimate, -45, 45, 50);
}

TEST(ClockOffset, WithoutRoundsItIsAbsent) {
  EXPECT_EQ(EstimateOffset({}).offset.error_nanos, kNoTraceOffset);
}

TEST(ClockOffset, TheSameClockHasNone) {
  const TraceOffset offset = SameClock(77);
  EXPECT_EQ(offset.nanos, 0);
  EXPECT_EQ(offset.error_nanos, 0);
  EXPECT_EQ(offset.at_nanos, 77);
}

// Rounds come from other ranks, so times may have any value.
TEST(ClockOffset, NoTimeIsTooLarge) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  for (const int64_t a : {kLeast, int64_t{0}, kMost}) {
    for (const int64_t b : {kLeast, int64_t{0}, kMost}) {
      EXPECT_GE(EstimateOffset(Rounds{{a, b, b, a}}).offset.error_nanos, 0);
      EXPECT_GE(
          EstimateOffset(Rounds{{a, a, b, b}, {b, b, a, a}}).offset.error_nanos,
          0);
    }
  }
}

}  // namespace
}  // namespace gasnet::observe
