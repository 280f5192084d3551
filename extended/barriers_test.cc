// The barrier functions in a job of one rank: rules and misuse.
// barrier_state_test.cc has the implementations.
#include "extended/barriers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "core/thread/mode.h"
#include "extended/testing/loopback.h"

namespace gasnet::extended {
namespace {

using testing::Loopback;
Barriers& Api() { return Barriers::Mine(); }

constexpr int kAnonymous = GASNET_BARRIERFLAG_ANONYMOUS;
constexpr int kMismatch = GASNET_BARRIERFLAG_MISMATCH;

class BarriersTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Loopback::Attach();
  }
};

using Outcome = Barriers::Outcome;

Outcome Barrier(int notify_id, int notify_flags, int wait_id, int wait_flags) {
  Api().Notify(notify_id, notify_flags);
  return Api().Wait(wait_id, wait_flags);
}

TEST_F(BarriersTest, MatchingCallsAreFine) {
  EXPECT_EQ(Barrier(5, 0, 5, 0), Outcome::kMatched);
  EXPECT_EQ(Barrier(-1, 0, -1, 0), Outcome::kMatched);
  EXPECT_EQ(Barrier(1, kAnonymous, 2, kAnonymous), Outcome::kMatched);
}

TEST_F(BarriersTest, TheWaitMustMatchTheNotify) {
  EXPECT_EQ(Barrier(5, 0, 6, 0), Outcome::kMismatched);
  EXPECT_EQ(Barrier(5, 0, 5, kAnonymous), Outcome::kMismatched);
  EXPECT_EQ(Barrier(5, kAnonymous, 5, 0), Outcome::kMismatched);
  EXPECT_EQ(Barrier(5, 0, 5, kMismatch), Outcome::kMismatched);
}

TEST_F(BarriersTest, AForcedMismatchIsOne) {
  EXPECT_EQ(Barrier(5, kMismatch, 5, kMismatch), Outcome::kMismatched);
  EXPECT_EQ(Barrier(5, kMismatch, 5, 0), Outcome::kMismatched);
  EXPECT_EQ(Barrier(5, 0, 5, 0), Outcome::kMatched) << "it lasts one phase";
}

TEST_F(BarriersTest, TryCompletesThePhase) {
  Api().Notify(1, 0);
  EXPECT_EQ(Api().Try(1, 0), Outcome::kMatched);
  Api().Notify(1, 0);
  EXPECT_EQ(Api().Try(2, 0), Outcome::kMismatched);
  EXPECT_EQ(Barrier(1, 0, 1, 0), Outcome::kMatched);
}

#if !defined(GASNET_SEQ)
TEST_F(BarriersTest, NotifyAndWaitMayBeOnDifferentThreads) {
  for (int i = 0; i < 100; ++i) {
    std::thread([i] { Api().Notify(i, 0); }).join();
    EXPECT_EQ(Api().Wait(i, 0), Outcome::kMatched);
  }
}
#endif

TEST_F(BarriersTest, MisuseIsFatalInEveryBuild) {
  EXPECT_DEATH(Api().Wait(1, 0),
               "gasnet_barrier_wait called without a gasnet_barrier_notify");
  EXPECT_DEATH(Api().Try(1, 0),
               "gasnet_barrier_try called without a gasnet_barrier_notify");
  EXPECT_DEATH(
      {
        Barrier(1, 0, 1, 0);
        Api().Wait(1, 0);
      },
      "gasnet_barrier_wait called without");
}

TEST_F(BarriersTest, ASecondNotifyIsToldOnceAndChangesNothing) {
  if (thread::kChecks) {
    Api().Notify(1, 0);
    EXPECT_DEATH(Api().Notify(1, 0),
                 "gasnet_barrier_notify called a second time");
    Api().Wait(1, 0);
    return;
  }
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) {
    Api().Notify(1, 0);
    Api().Notify(2, GASNET_BARRIERFLAG_MISMATCH);
    EXPECT_EQ(Api().Wait(1, 0), Outcome::kMatched);
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("gasnet_barrier_notify called a second time"),
            std::string::npos);
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
}

}  // namespace
}  // namespace gasnet::extended
