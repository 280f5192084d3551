#include "base/log.h"

#include <signal.h>
#include <unistd.h>

#include <string>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

TEST(LogTest, WarningIsOneLineWithoutRankAtFirst) {
  ::testing::internal::CaptureStderr();
  Warn("disk %s at %d%%", "full", 99);
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(line.find("*** GASNet WARNING ("), 0u) << line;
  EXPECT_EQ(line.find("rank"), std::string::npos) << line;
  EXPECT_NE(
      line.find("pid " + std::to_string(getpid()) + "): disk full at 99%\n"),
      std::string::npos)
      << line;
}

TEST(LogTest, InformationIsOfNoKind) {
  ::testing::internal::CaptureStderr();
  Inform("%d of %d", 3, 4);
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(line.find("*** GASNet ("), 0u) << line;
  EXPECT_NE(line.find("): 3 of 4\n"), std::string::npos) << line;
}

TEST(LogTest, LongMessagesAreCutAndSaySo) {
  ::testing::internal::CaptureStderr();
  Warn("%s", std::string(10'000, 'x').c_str());
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_LE(line.size(), 4096u);
  EXPECT_EQ(line.substr(line.size() - 5), "x...\n");
}

TEST(LogTest, FatalNamesTheRankAndAborts) {
  const auto fail = [] {
    SetLogIdentity(3, 8);
    Fatal("no %s left", "space");
  };
  EXPECT_EXIT(fail(), KilledBySignal(SIGABRT),
              "FATAL ERROR \\(rank 3, .*, pid [0-9]+\\): no space left\n");
}

TEST(LogTest, FatalCallsTheHook) {
  const auto fail = [] {
    SetFatalHook([] { _exit(42); });
    Fatal("broken");
  };
  EXPECT_EXIT(fail(), ExitedWithCode(42), "broken");
}

TEST(LogTest, FatalEndsWithTheCodeOfAProgramThatIsNoRank) {
  const auto fail = [] {
    SetFatalExitCode(2);
    Fatal("broken");
  };
  EXPECT_EXIT(fail(), ExitedWithCode(2), "broken");
}

TEST(LogTest, TheRankIsForgotten) {
  SetLogIdentity(0, 2);
  EXPECT_TRUE(IsLogRankZero());
  ForgetLogIdentity();
  EXPECT_FALSE(IsLogRankZero());
  ::testing::internal::CaptureStderr();
  Warn("on");
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(line.find("rank"), std::string::npos) << line;
}

}  // namespace
}  // namespace gasnet
