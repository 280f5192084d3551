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
  std::optional<std::string> LookAfter(int seconds, uint32_t receipts,
                                       uint32_t op_slots) {
    return stall_watchdog_.Look(
        {kStart + seconds * kNanosPerSecond, receipts, op_slots});
  }

  PortalsStatistics statistics_{false};
  StallWatchdog stall_watchdog_{3, statistics_};
};

TEST_F(StallWatchdogTest, TheResourceThatWasMissedMeanwhileIsNamed) {
  statistics_.Note(Counted::kNoOpSlot);
  EXPECT_FALSE(LookAfter(0, 7, 2));
  EXPECT_FALSE(LookAfter(1, 7, 2));
  statistics_.Starve(Counted::kNoCredit, 5);
  EXPECT_FALSE(LookAfter(2, 7, 2));
  EXPECT_EQ(LookAfter(3, 7, 2),
            "nothing has moved for 3 s; under way: 2 operations; messages wait "
            "for credits of their target (GASNET_PORTAL_CRED_PER_NODE); the "
            "last one that had to wait was to rank 5");
}

TEST_F(StallWatchdogTest, ItIsToldOnce) {
  for (int second = 0; second < 3; ++second) LookAfter(second, 7, 1);
  EXPECT_TRUE(LookAfter(3, 7, 1));
  for (int second = 4; second < 20; ++second) {
    EXPECT_FALSE(LookAfter(second, 7, 1));
  }
}

TEST_F(StallWatchdogTest, WhatMovesOrIsIdleDoesNotStall) {
  for (int second = 0; second < 10; ++second) {
    EXPECT_FALSE(LookAfter(second, static_cast<uint32_t>(second), 1));
  }
  for (int second = 10; second < 20; ++second) {
    EXPECT_FALSE(LookAfter(second, 7, 0));
  }
}

// A client that computes does not call Look(). So the time of its computation
// does not count.
TEST_F(StallWatchdogTest, OnlySecondsInWhichSomebodyLookedCount) {
  LookAfter(0, 7, 1);
  EXPECT_FALSE(LookAfter(100, 7, 1));
  EXPECT_FALSE(LookAfter(200, 7, 1));
  EXPECT_TRUE(LookAfter(300, 7, 1));
}

// A sleeping thread may call Look() more often than once a second. The time
// between these calls must still count.
TEST_F(StallWatchdogTest, LooksThatAreCloseTogetherCountForTheirTime) {
  constexpr int64_t kStep = 400 * kNanosPerMilli;
  for (int64_t at = 0; at < 3 * kNanosPerSecond; at += kStep) {
    EXPECT_FALSE(stall_watchdog_.Look({kStart + at, 7, 1}));
  }
  EXPECT_TRUE(stall_watchdog_.Look({kStart + 3 * kNanosPerSecond, 7, 1}));
}

TEST(StallOffTest, NeverIsNever) {
  const PortalsStatistics statistics(false);
  StallWatchdog watchdog(0, statistics);
  for (int second = 0; second < 100; ++second) {
    EXPECT_FALSE(watchdog.Look({kStart + second * kNanosPerSecond, 7, 1}));
  }
}

}  // namespace
}  // namespace gasnet::portals_conduit
