#include "base/env.h"

#include <stdlib.h>

#include <string>
#include <vector>

#include "base/log.h"
#include "gtest/gtest.h"

namespace gasnet {
namespace {

constexpr const char* kBarriers[] = {"DISSEM", "CENTRAL"};

// Each test uses its own variable because each name is reported only once.
class EnvTest : public ::testing::Test {
 protected:
  void Set(const char* value) { setenv(name_.c_str(), value, 1); }
  ~EnvTest() override { unsetenv(name_.c_str()); }

  const std::string name_ =
      std::string("GASNET_TEST_") +
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const char* const name = name_.c_str();
};

TEST_F(EnvTest, UnsetAndEmptyHaveTheDefault) {
  EXPECT_EQ(EnvInt(name, 7, 0, 10), 7);
  EXPECT_EQ(GetEnv(name), nullptr);
  Set("");
  EXPECT_EQ(EnvInt(name, 7, 0, 10), 7);
  EXPECT_EQ(EnvDouble(name, 0.5, 0, 1), 0.5);
  EXPECT_TRUE(EnvBool(name, true));
  EXPECT_EQ(EnvSize(name, 42), 42u);
  EXPECT_EQ(EnvChoice(name, kBarriers, 1), 1u);
  EXPECT_STREQ(EnvText(name, "0.5/H"), "0.5/H");
  EXPECT_STREQ(GetEnv(name), "");
}

TEST_F(EnvTest, ReadsWhatIsSet) {
  Set("3");
  EXPECT_EQ(EnvInt(name, 7, 0, 10), 3);
  EXPECT_EQ(EnvDouble(name, 0.5, 0, 10), 3.0);
  EXPECT_EQ(EnvSize(name, 42), 3u);
  EXPECT_STREQ(EnvText(name, "0.5/H"), "3");
  Set("no");
  EXPECT_FALSE(EnvBool(name, true));
  Set("central");
  EXPECT_EQ(EnvChoice(name, kBarriers, 0), 1u);
}

TEST_F(EnvTest, BadValuesNameVariableValueAndWhatIsAccepted) {
  Set("eleven");
  EXPECT_DEATH(EnvInt(name, 7, 0, 10),
               name_ +
                   " is set to 'eleven'; accepted: a whole number from 0 "
                   "to 10");
  EXPECT_DEATH(EnvDouble(name, 1, 0, 2.5), "'eleven'.*a number from 0 to 2.5");
  EXPECT_DEATH(EnvBool(name, true), "'eleven'.*yes, true");
  EXPECT_DEATH(EnvSize(name, 1), "'eleven'.*bytes");
  EXPECT_DEATH(EnvChoice(name, kBarriers, 0), "'eleven'.*DISSEM, CENTRAL");
}

TEST_F(EnvTest, OutOfRangeIsRefused) {
  Set("11");
  EXPECT_DEATH(EnvInt(name, 7, 0, 10), "'11'");
  EXPECT_DEATH(EnvDouble(name, 7, 0, 10), "'11'");
}

TEST_F(EnvTest, VerboseRankZeroReportsTheDefaultOfAText) {
  setenv("GASNET_VERBOSEENV", "1", 1);
  SetLogIdentity(0, 2);
  ::testing::internal::CaptureStderr();
  EnvText(name, "0.5/H");
  const std::string report = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(report, "ENV parameter: " + name_ + " = 0.5/H   (default)\n");
  unsetenv("GASNET_VERBOSEENV");
}

TEST_F(EnvTest, VerboseRankZeroReportsOnce) {
  setenv("GASNET_VERBOSEENV", "1", 1);
  SetLogIdentity(0, 2);
  ::testing::internal::CaptureStderr();
  EnvInt(name, 7, 0, 10);
  EnvInt(name, 7, 0, 10);
  GetEnv("PATH");
  const std::string report = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(report, "ENV parameter: " + name_ + " = 7   (default)\n");
  unsetenv("GASNET_VERBOSEENV");
}

TEST_F(EnvTest, OtherRanksReportNothing) {
  setenv("GASNET_VERBOSEENV", "1", 1);
  SetLogIdentity(1, 2);
  ::testing::internal::CaptureStderr();
  EnvInt(name, 7, 0, 10);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  unsetenv("GASNET_VERBOSEENV");
}

// Runs in a child, because the snapshot would affect other tests.
TEST_F(EnvTest, SnapshotHidesTheProcessEnvironment) {
  Set("from the process");
  const auto look = [&] {
    SetEnvironment({"A=", "PREFIX_LONG=1", "PREFIX=multi\nline = x", "B=\xc3"});
    const bool right = GetEnv(name) == nullptr && *GetEnv("A") == '\0' &&
                       GetEnv("PREFIX") == std::string("multi\nline = x") &&
                       GetEnv("B") == std::string("\xc3") &&
                       GetEnv("PRE") == nullptr;
    _exit(right ? 0 : 1);
  };
  EXPECT_EXIT(look(), ::testing::ExitedWithCode(0), "");
}

TEST_F(EnvTest, TheProcessEnvironmentIsAskedAgain) {
  Set("from the process");
  const auto look = [&] {
    SetEnvironment({"A=1"});
    ForgetEnvironment();
    const bool right = GetEnv(name) == std::string("from the process") &&
                       GetEnv("A") == nullptr;
    SetEnvironment({"A=2"});
    _exit(right && GetEnv("A") == std::string("2") ? 0 : 1);
  };
  EXPECT_EXIT(look(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gasnet
