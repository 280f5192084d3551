// Tests the barrier functions in a job of one rank: the rules of their use, and
// misuse. barrier_state_test.cc tests the implementations.
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

BarrierCall Named(int id) { return {.vote = {.named = true, .id = id}}; }
BarrierCall Anonymous(int id) { return {.vote = {.id = id}, .flags = 1}; }
BarrierCall Mismatch(int id) {
  return {.vote = {.mismatch = true, .id = id}, .flags = 2};
}

class BarriersTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Loopback::Attach();
  }
};

using Outcome = Barriers::Outcome;

Outcome Barrier(const BarrierCall& notify, const BarrierCall& wait) {
  Api().Notify(notify);
  return Api().Wait(wait);
}

TEST_F(BarriersTest, MatchingCallsAreFine) {
  EXPECT_EQ(Barrier(Named(5), Named(5)), Outcome::kMatched);
  EXPECT_EQ(Barrier(Named(-1), Named(-1)), Outcome::kMatched);
  EXPECT_EQ(Barrier(Anonymous(1), Anonymous(2)), Outcome::kMatched);
}

TEST_F(BarriersTest, TheWaitMustMatchTheNotify) {
  EXPECT_EQ(Barrier(Named(5), Named(6)), Outcome::kMismatched);
  EXPECT_EQ(Barrier(Named(5), Anonymous(5)), Outcome::kMismatched);
  EXPECT_EQ(Barrier(Anonymous(5), Named(5)), Outcome::kMismatched);
  EXPECT_EQ(Barrier(Named(5), Mismatch(5)), Outcome::kMismatched);
}

TEST_F(BarriersTest, AForcedMismatchIsOne) {
  EXPECT_EQ(Barrier(Mismatch(5), Mismatch(5)), Outcome::kMismatched);
  EXPECT_EQ(Barrier(Mismatch(5), Named(5)), Outcome::kMismatched);
  EXPECT_EQ(Barrier(Named(5), Named(5)), Outcome::kMatched)
      << "it lasts one phase";
}

TEST_F(BarriersTest, TryCompletesThePhase) {
  Api().Notify(Named(1));
  EXPECT_EQ(Api().Try(Named(1)), Outcome::kMatched);
  Api().Notify(Named(1));
  EXPECT_EQ(Api().Try(Named(2)), Outcome::kMismatched);
  EXPECT_EQ(Barrier(Named(1), Named(1)), Outcome::kMatched);
}

#if !defined(GASNET_SEQ)
TEST_F(BarriersTest, NotifyAndWaitMayBeOnDifferentThreads) {
  for (int i = 0; i < 100; ++i) {
    std::thread([i] { Api().Notify(Named(i)); }).join();
    EXPECT_EQ(Api().Wait(Named(i)), Outcome::kMatched);
  }
}
#endif

TEST_F(BarriersTest, MisuseIsFatalInEveryBuild) {
  EXPECT_DEATH(Api().Wait(Named(1)),
               "gasnet_barrier_wait called without a gasnet_barrier_notify");
  EXPECT_DEATH(Api().Try(Named(1)),
               "gasnet_barrier_try called without a gasnet_barrier_notify");
  EXPECT_DEATH(
      {
        Barrier(Named(1), Named(1));
        Api().Wait(Named(1));
      },
      "gasnet_barrier_wait called without");
}

TEST_F(BarriersTest, ASecondNotifyIsToldOnceAndChangesNothing) {
  if (thread::kChecks) {
    Api().Notify(Named(1));
    EXPECT_DEATH(Api().Notify(Named(1)),
                 "gasnet_barrier_notify called a second time");
    Api().Wait(Named(1));
    return;
  }
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) {
    Api().Notify(Named(1));
    Api().Notify(Mismatch(2));
    EXPECT_EQ(Api().Wait(Named(1)), Outcome::kMatched);
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("gasnet_barrier_notify called a second time"),
            std::string::npos);
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
}

}  // namespace
}  // namespace gasnet::extended
