#include "job/launch/exit_timeout.h"

#include <stdlib.h>

#include "base/clock.h"
#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

class ExitTimeoutTest : public ::testing::Test {
 protected:
  ~ExitTimeoutTest() override {
    for (const char* name :
         {"GASNET_EXITTIMEOUT", "GASNET_EXITTIMEOUT_MIN",
          "GASNET_EXITTIMEOUT_MAX", "GASNET_EXITTIMEOUT_FACTOR"}) {
      unsetenv(name);
    }
  }
};

TEST_F(ExitTimeoutTest, GrowsWithTheJobUpToTheMaximum) {
  EXPECT_EQ(ExitTimeoutNanos(100), 3 * kNanosPerSecond);
  EXPECT_EQ(ExitTimeoutNanos(65535), 120 * kNanosPerSecond);
  setenv("GASNET_EXITTIMEOUT_MIN", "1", 1);
  setenv("GASNET_EXITTIMEOUT_FACTOR", "0.5", 1);
  setenv("GASNET_EXITTIMEOUT_MAX", "10", 1);
  EXPECT_EQ(ExitTimeoutNanos(4), 3 * kNanosPerSecond);
  EXPECT_EQ(ExitTimeoutNanos(1000), 10 * kNanosPerSecond);
}

TEST_F(ExitTimeoutTest, IsWhatIsSet) {
  setenv("GASNET_EXITTIMEOUT", "0.25", 1);
  EXPECT_EQ(ExitTimeoutNanos(8), kNanosPerSecond / 4);
}

TEST_F(ExitTimeoutTest, BadValuesAreRefused) {
  setenv("GASNET_EXITTIMEOUT_MAX", "-1", 1);
  EXPECT_DEATH(ExitTimeoutNanos(1), "GASNET_EXITTIMEOUT_MAX is set to '-1'");
}

}  // namespace
}  // namespace gasnet::job
