#include "job/launch/exit_policy.h"

#include "base/clock.h"
#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

using Phase = ExitPolicy::Phase;

constexpr int64_t kLinger = 10;
constexpr int64_t kPatience = 50;
constexpr int64_t kGrace = 100;
constexpr ExitPolicy::Times kTimes = {
    .linger = kLinger, .patience = kPatience, .grace = kGrace};

class ExitPolicyTest : public ::testing::Test {
 protected:
  ExitPolicy policy_{3, kTimes};
};

TEST_F(ExitPolicyTest, CollectiveExitIsNotInterrupted) {
  EXPECT_EQ(policy_.deadline(), kNever);
  policy_.Left(0, 0);
  policy_.Left(0, 5);
  policy_.Advance(kLinger);
  EXPECT_EQ(policy_.phase(), Phase::kLingering) << "5 has not been long";
  policy_.Left(0, 14);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  EXPECT_EQ(policy_.deadline(), 14 + kGrace);
  for (int i = 0; i < 3; ++i) policy_.Gone();
  EXPECT_TRUE(policy_.AllGone());
  EXPECT_EQ(policy_.code(), 0);
}

TEST_F(ExitPolicyTest, AFurtherSuccessMayComeLate) {
  policy_.Left(0, 0);
  policy_.Advance(kPatience - 1);
  EXPECT_EQ(policy_.phase(), Phase::kLingering);
  policy_.Left(4, kPatience - 1);
  EXPECT_EQ(policy_.deadline(), kPatience - 1 + kLinger);
  policy_.Advance(kPatience - 1 + kLinger);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
}

TEST_F(ExitPolicyTest, LaggardsAreToldThenKilled) {
  policy_.Left(7, 0);
  policy_.Advance(kLinger - 1);
  EXPECT_EQ(policy_.phase(), Phase::kLingering);
  policy_.Advance(kLinger);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  policy_.Advance(kLinger + kGrace - 1);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  policy_.Advance(kLinger + kGrace);
  EXPECT_EQ(policy_.phase(), Phase::kKilling);
  EXPECT_EQ(policy_.code(), 7);
  EXPECT_EQ(policy_.deadline(), kNever);
}

TEST_F(ExitPolicyTest, FirstFailureCounts) {
  policy_.Left(0, 0);
  policy_.Left(4, 1);
  policy_.Left(5, 2);
  EXPECT_EQ(policy_.code(), 4);
}

TEST_F(ExitPolicyTest, CodesThatComeAfterTheEndDoNotCount) {
  policy_.Left(0, 0);
  policy_.Advance(kPatience);
  policy_.Left(4, kPatience + 1);
  policy_.Returned(5, false, kPatience + 2);
  policy_.Failed(139, kPatience + 2);
  EXPECT_EQ(policy_.code(), 0);
  EXPECT_EQ(policy_.deadline(), kPatience + kGrace);
}

TEST_F(ExitPolicyTest, ARankThatIsKilledIsNoSuccessHoweverLate) {
  policy_.Left(0, 0);
  policy_.Advance(kPatience);
  policy_.Advance(kPatience + kGrace);
  ASSERT_EQ(policy_.phase(), Phase::kKilling);
  policy_.Crashed(137, kPatience + kGrace);
  policy_.Crashed(139, kPatience + kGrace);
  EXPECT_EQ(policy_.code(), 137);
  EXPECT_EQ(policy_.phase(), Phase::kKilling);
}

TEST_F(ExitPolicyTest, ARankThatIsKilledDoesNotChangeTheCodeOfAFailure) {
  policy_.Left(7, 0);
  policy_.Advance(kLinger);
  policy_.Crashed(137, kLinger + kGrace);
  EXPECT_EQ(policy_.code(), 7);
}

TEST_F(ExitPolicyTest, ReturningWithZeroStartsNoClock) {
  policy_.Returned(0, false, 0);
  policy_.Returned(0, false, 1);
  policy_.Advance(1'000'000);
  EXPECT_EQ(policy_.phase(), Phase::kRunning);
  EXPECT_EQ(policy_.deadline(), kNever);
  policy_.Returned(0, false, 2'000'000);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  EXPECT_EQ(policy_.code(), 0);
}

TEST_F(ExitPolicyTest, ReturningWithZeroStartsAClockWhereThatEndsTheJob) {
  policy_.Returned(0, true, 5);
  EXPECT_EQ(policy_.phase(), Phase::kLingering);
  policy_.Returned(0, true, 6);
  policy_.Advance(5 + kPatience);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  EXPECT_EQ(policy_.code(), 0);
}

TEST_F(ExitPolicyTest, ReturningWithAnotherCodeStartsOneClock) {
  policy_.Returned(0, false, 0);
  policy_.Returned(6, false, 5);
  policy_.Advance(5 + kPatience - 1);
  EXPECT_EQ(policy_.phase(), Phase::kLingering);
  EXPECT_EQ(policy_.deadline(), 5 + kPatience);
  policy_.Advance(5 + kPatience);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  EXPECT_EQ(policy_.deadline(), 5 + kPatience + kGrace);
  EXPECT_EQ(policy_.code(), 6);
}

TEST_F(ExitPolicyTest, AFurtherReturnDoesNotPutTheClockOff) {
  policy_.Returned(6, false, 0);
  policy_.Returned(7, false, kPatience - 1);
  EXPECT_EQ(policy_.deadline(), kPatience);
  EXPECT_EQ(policy_.code(), 6);
}

TEST_F(ExitPolicyTest, AnExitEndsTheJobThatOthersHaveReturnedFrom) {
  policy_.Returned(0, false, 0);
  policy_.Left(4, 1);
  EXPECT_EQ(policy_.deadline(), 1 + kLinger);
  policy_.Advance(1 + kLinger);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  EXPECT_EQ(policy_.code(), 4);
}

TEST_F(ExitPolicyTest, TheEarlierOfBothClocksCounts) {
  policy_.Returned(6, false, 0);
  policy_.Left(0, kPatience - 1);
  EXPECT_EQ(policy_.deadline(), kPatience);
  ExitPolicy other(3, kTimes);
  other.Left(0, 0);
  other.Returned(6, false, 1);
  EXPECT_EQ(other.deadline(), kPatience);
  EXPECT_EQ(other.code(), 6);
}

TEST_F(ExitPolicyTest, FailureDoesNotLinger) {
  policy_.Failed(139, 0);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  EXPECT_EQ(policy_.code(), 139);
  EXPECT_FALSE(policy_.interrupted());
}

TEST_F(ExitPolicyTest, FailureWhileLingeringWinsOverSuccessOnly) {
  policy_.Left(3, 0);
  policy_.Failed(125, 1);
  EXPECT_EQ(policy_.code(), 3);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
}

TEST_F(ExitPolicyTest, ACrashIsTheWorst) {
  policy_.Returned(255, false, 0);
  policy_.Crashed(139, 1);
  policy_.Left(3, 2);
  EXPECT_EQ(policy_.code(), 139);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
}

TEST_F(ExitPolicyTest, SecondInterruptKills) {
  policy_.Interrupted(130, 0);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  policy_.Interrupted(143, 1);
  EXPECT_EQ(policy_.phase(), Phase::kKilling);
  EXPECT_EQ(policy_.code(), 130);
}

TEST_F(ExitPolicyTest, ProcessesThatNeverJoinDoNotEndOneAnother) {
  policy_.LeftAlone(0, 0);
  policy_.LeftAlone(6, 1);
  policy_.Advance(1'000'000);
  EXPECT_EQ(policy_.phase(), Phase::kRunning);
  policy_.LeftAlone(2, 2);
  EXPECT_EQ(policy_.phase(), Phase::kEnding);
  EXPECT_EQ(policy_.code(), 6);
}

TEST_F(ExitPolicyTest, AnUnreadOutputStopsTheGraceUnlessInterrupted) {
  policy_.AwaitReader(0);
  EXPECT_EQ(policy_.deadline(), kNever);
  policy_.Failed(1, 0);
  policy_.AwaitReader(50);
  EXPECT_EQ(policy_.deadline(), 50 + kGrace);
  ExitPolicy hurried(3, kTimes);
  hurried.Interrupted(130, 0);
  hurried.AwaitReader(50);
  EXPECT_EQ(hurried.deadline(), kGrace);
}

TEST_F(ExitPolicyTest, TimeSpentStoppedDoesNotCount) {
  policy_.Shift(1000);
  EXPECT_EQ(policy_.deadline(), kNever);
  policy_.Left(0, 0);
  policy_.Shift(1000);
  EXPECT_EQ(policy_.deadline(), 1000 + kPatience);
  ExitPolicy patient(3, kTimes);
  patient.Returned(1, false, 0);
  patient.Shift(1000);
  patient.Left(0, 1000 + kPatience - 1);
  EXPECT_EQ(patient.deadline(), 1000 + kPatience);
}

}  // namespace
}  // namespace gasnet::job
