#include "conduits/portals/stall_watchdog.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/clock.h"

namespace gasnet::portals_conduit {
namespace {

constexpr int64_t kStart = 1000 * kNanosPerSecond;

class StallWatchdogTest : public ::testing::Test {
 protected:
  // Looks at this time, and returns the seconds of the stall.
  std::optional<int64_t> LookAfter(int seconds, uint32_t receipts,
                                   uint32_t op_slots) {
    stall_watchdog_.Look(
        {kStart + seconds * kNanosPerSecond, receipts, op_slots});
    const auto stall = stall_watchdog_.Find();
    if (!stall) return std::nullopt;
    EXPECT_EQ(stall->nanos % kNanosPerSecond, 0);
    return stall->nanos / kNanosPerSecond;
  }

  PortalsStatistics statistics_{false};
  StallWatchdog stall_watchdog_{statistics_};
};

TEST_F(StallWatchdogTest, TheResourceThatWasMissedMeanwhileIsNamed) {
  statistics_.Note(Counted::kNoOpSlot);
  EXPECT_FALSE(LookAfter(0, 7, 2));
  EXPECT_EQ(LookAfter(1, 7, 2), 1);
  EXPECT_FALSE(stall_watchdog_.Find()->peer.has_value());
  EXPECT_EQ(stall_watchdog_.Find()->missing, "");
  statistics_.Starve(Counted::kNoCredit, 5);
  EXPECT_EQ(LookAfter(2, 7, 2), 2);
  statistics_.Note(Counted::kNoChunk);
  EXPECT_EQ(LookAfter(3, 7, 2), 3);
  EXPECT_EQ(stall_watchdog_.Find()->peer, 5u);
  EXPECT_EQ(stall_watchdog_.Find()->missing,
            "credits of their target (GASNET_PORTAL_CRED_PER_NODE), chunks of "
            "requests (GASNET_PORTAL_SB_CHUNKS)");
}

TEST_F(StallWatchdogTest, WhatMovesOrIsIdleDoesNotStall) {
  for (int second = 0; second < 10; ++second) {
    EXPECT_FALSE(LookAfter(second, static_cast<uint32_t>(second + 1), 1));
  }
  for (int second = 10; second < 20; ++second) {
    EXPECT_FALSE(LookAfter(second, 7, 0));
  }
}

// Resources that were missed before the last movement are not named.
TEST_F(StallWatchdogTest, AStallThatHasEndedIsForgotten) {
  for (int second = 0; second < 5; ++second) LookAfter(second, 7, 1);
  statistics_.Starve(Counted::kPaused, 2);
  EXPECT_EQ(LookAfter(5, 7, 1), 5);
  EXPECT_FALSE(LookAfter(6, 8, 1));
  EXPECT_EQ(LookAfter(7, 8, 1), 1);
  EXPECT_FALSE(stall_watchdog_.Find()->peer.has_value());
  EXPECT_EQ(stall_watchdog_.Find()->missing, "");
}

// A client that computes does not call Look(). So the time of its computation
// does not count.
TEST_F(StallWatchdogTest, OnlySecondsInWhichSomebodyLookedCount) {
  LookAfter(0, 7, 1);
  EXPECT_EQ(LookAfter(100, 7, 1), 1);
  EXPECT_EQ(LookAfter(200, 7, 1), 2);
  EXPECT_EQ(LookAfter(300, 7, 1), 3);
}

// A sleeping thread may call Look() more often than once a second. The time
// between these calls must still count.
TEST_F(StallWatchdogTest, LooksThatAreCloseTogetherCountForTheirTime) {
  constexpr int64_t kStep = 400 * kNanosPerMilli;
  for (int64_t at = 0; at < kNanosPerSecond; at += kStep) {
    stall_watchdog_.Look({kStart + at, 7, 1});
    EXPECT_FALSE(stall_watchdog_.Find());
  }
  EXPECT_EQ(LookAfter(1, 7, 1), 1);
}

}  // namespace
}  // namespace gasnet::portals_conduit
