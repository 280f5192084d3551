// Tests the setting of the time after which a stall is reported.
#include <stdlib.h>

#include "base/clock.h"
#include "gtest/gtest.h"
#include "job/launch/status_desk.h"

namespace gasnet::job {
namespace {

class StallReportTest : public testing::Test {
 protected:
  ~StallReportTest() override { unsetenv("GASNET_STALL_REPORT"); }
};

TEST_F(StallReportTest, IsInSecondsAndAMinuteUnlessItIsSet) {
  EXPECT_EQ(StallReportNanos(), 60 * kNanosPerSecond);
  setenv("GASNET_STALL_REPORT", "2.5", 1);
  EXPECT_EQ(StallReportNanos(), 2500 * kNanosPerMilli);
  setenv("GASNET_STALL_REPORT", "1e9", 1);
  EXPECT_EQ(StallReportNanos(), 1'000'000'000 * kNanosPerSecond);
}

TEST_F(StallReportTest, ZeroIsNone) {
  setenv("GASNET_STALL_REPORT", "0", 1);
  EXPECT_EQ(StallReportNanos(), kNever);
}

// The shortest accepted time is long enough for several rounds.
TEST_F(StallReportTest, TheShortestIsSomeTime) {
  setenv("GASNET_STALL_REPORT", "1e-12", 1);
  EXPECT_GE(StallReportNanos() / 4, 1);
}

TEST_F(StallReportTest, BadValuesAreRefused) {
  setenv("GASNET_STALL_REPORT", "-1", 1);
  EXPECT_DEATH(StallReportNanos(), "GASNET_STALL_REPORT is set to '-1'");
}

}  // namespace
}  // namespace gasnet::job
