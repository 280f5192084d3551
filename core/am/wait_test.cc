// Tests the stages of a wait with a clock that the test controls.
#include "core/am/wait.h"

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "core/am/cpu_board.h"
#include "core/am/processor.h"
#include "core/am/testing/fake_kernel.h"
#include "core/am/testing/scripted_link.h"
#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

constexpr WaitPlan kUsual{WaitMode::kSpinBlock, false};
constexpr WaitPlan kCrowd{WaitMode::kSpinBlock, true};
constexpr WaitPlan kSleeper{WaitMode::kBlock, false};
constexpr int kMany = 100'000;

class WaitTest : public testing::Test {
 protected:
  WaitTest() {
    FakeKernel::Reset();
    ranks_.Join(lines_, 0);
    // The other rank runs on processor 1.
    lines_[1].cpu_and_one = 1 + 1;
  }

  // Returns the number of idle steps until the link is armed, at most kMany.
  int StepsUntilArmed(WaitPlan plan) {
    link_.calls.clear();
    Wait wait;
    int steps = 0;
    while (link_.calls.empty() && steps < kMany) {
      wait.Idle(link_, plan, processor_);
      ++steps;
    }
    if (!link_.calls.empty()) wait.Progress(link_);
    return steps;
  }

  // Returns the number of nanoseconds until the link is armed.
  int64_t TimeUntilArmed(WaitPlan plan) {
    const int64_t start = FakeKernel::now;
    EXPECT_LT(StepsUntilArmed(plan), kMany);
    return FakeKernel::now - start;
  }

  ScriptedLink link_;
  std::array<CpuBoard::Line, 2> lines_{};
  CpuBoard ranks_;
  Processor<FakeKernel> processor_{ranks_};
};

TEST_F(WaitTest, AShortWaitReadsNoClock) {
  Wait wait;
  for (uint32_t i = 1; i < kLooksPerClock; ++i) {
    wait.Idle(link_, kUsual, processor_);
    EXPECT_TRUE(wait.HasSpun());
  }
  EXPECT_EQ(FakeKernel::clock_readings, 0);
  wait.Idle(link_, kUsual, processor_);
  EXPECT_EQ(FakeKernel::clock_readings, 1);
  EXPECT_TRUE(wait.HasSpun()) << "no time has passed yet";
}

TEST_F(WaitTest, SpinsForATimeWhateverALookTakes) {
  for (const int64_t reading : {kSpinFor / 20, kSpinFor / 2}) {
    FakeKernel::Reset();
    FakeKernel::now_step = reading;
    Wait wait;
    const int64_t start = FakeKernel::now;
    while (FakeKernel::yields == 0) wait.Idle(link_, kUsual, processor_);
    EXPECT_FALSE(wait.HasSpun()) << "others may have run";
    EXPECT_GE(FakeKernel::now - start, kSpinFor);
    EXPECT_LE(FakeKernel::now - start, kSpinFor + 4 * reading);
  }
}

TEST_F(WaitTest, AloneItYieldsBetweenLooksForATimeAndThenSleeps) {
  FakeKernel::now_step = 10'000;
  const int64_t time = TimeUntilArmed(kUsual);
  EXPECT_GE(time, kLookFor);
  EXPECT_LE(time, kLookFor + 100'000);
  EXPECT_EQ(link_.calls, "AD");
  // The clock is read twice for each yield.
  EXPECT_NEAR(FakeKernel::yields, (kLookFor - kSpinFor) / 20'000, 10);
}

TEST_F(WaitTest, WhereAStrangerComputesItSleepsAfterTheSpin) {
  FakeKernel::now_step = 1000;
  FakeKernel::yield_takes = 4'000'000;
  StepsUntilArmed(kUsual);
  EXPECT_EQ(FakeKernel::yields, 1);
  for (int i = 0; i < 5; ++i) {
    const int64_t time = TimeUntilArmed(kUsual);
    EXPECT_GE(time, kSpinFor);
    EXPECT_LE(time, kSpinFor + 10'000);
  }
  EXPECT_EQ(FakeKernel::yields, 1) << "a yield there costs a slice";
  // From here on, the other program no longer computes.
  FakeKernel::now += kBusyMemory;
  FakeKernel::yield_takes = 0;
  EXPECT_GE(TimeUntilArmed(kUsual), kLookFor);
}

TEST_F(WaitTest, WhoRunsForAMomentIsNoStranger) {
  FakeKernel::now_step = 1000;
  FakeKernel::yield_takes = kOthersCompute / 2;
  EXPECT_GE(TimeUntilArmed(kUsual), kLookFor);
  EXPECT_GT(FakeKernel::yields, 10);
}

TEST_F(WaitTest, LeavesTheProcessorOfAnotherRank) {
  FakeKernel::now_step = 1000;
  lines_[1].cpu_and_one = 0 + 1;
  Wait wait;
  while (FakeKernel::attempts_to_leave == 0) {
    wait.Idle(link_, kUsual, processor_);
  }
  EXPECT_FALSE(wait.HasSpun());
  EXPECT_EQ(FakeKernel::yields, 0) << "it leaves first";
  EXPECT_EQ(FakeKernel::cpu, 1);
  EXPECT_EQ(lines_[0].cpu_and_one, 1u + 1) << "and says so";
}

TEST_F(WaitTest, ToSpinIsNeitherToYieldNorToSleepButToLeave) {
  FakeKernel::now_step = kSpinFor;
  lines_[1].cpu_and_one = 0 + 1;
  EXPECT_EQ(StepsUntilArmed({WaitMode::kSpin, false}), kMany);
  EXPECT_EQ(FakeKernel::yields, 0);
  EXPECT_EQ(FakeKernel::cpu, 1);
  EXPECT_EQ(StepsUntilArmed({WaitMode::kSpin, true}), kMany);
  EXPECT_EQ(FakeKernel::yields, 0);
}

TEST_F(WaitTest, ToBlockIsToSleepAtOnceWhereItIs) {
  lines_[1].cpu_and_one = 0 + 1;
  for (const bool crowded : {false, true}) {
    Wait wait;
    link_.calls.clear();
    for (int i = 0; i < 4; ++i) {
      wait.Idle(link_, {WaitMode::kBlock, crowded}, processor_);
    }
    EXPECT_EQ(link_.calls, "AZDAZD");
  }
  EXPECT_EQ(FakeKernel::clock_readings, 0);
  EXPECT_EQ(FakeKernel::attempts_to_leave, 0);
}

TEST_F(WaitTest, WhoSleepsIsNowhere) {
  FakeKernel::cpu = 5;
  Wait wait;
  wait.Idle(link_, {WaitMode::kBlock, false}, processor_);
  uint32_t told_asleep = 99;
  link_.on_sleep = [&] { told_asleep = lines_[0].cpu_and_one; };
  wait.Idle(link_, {WaitMode::kBlock, false}, processor_);
  EXPECT_EQ(link_.calls, "AZD");
  EXPECT_EQ(told_asleep, 0u);
  EXPECT_EQ(lines_[0].cpu_and_one, 5u + 1);
}

TEST_F(WaitTest, WhoIsWokenBesideAnotherRankLeaves) {
  FakeKernel::now_step = kLookFor;
  Wait wait;
  while (link_.calls.empty()) wait.Idle(link_, kUsual, processor_);
  link_.on_sleep = [&] { lines_[1].cpu_and_one = 0 + 1; };
  wait.Idle(link_, kUsual, processor_);
  EXPECT_EQ(link_.calls, "AZD");
  EXPECT_EQ(FakeKernel::cpu, 1);
}

// On a link without a wake-up, only the clock ends a sleep.
TEST_F(WaitTest, WhoHasSleptForNothingSleepsAgainAfterTheSpin) {
  FakeKernel::now_step = 1000;
  for (const WaitPlan plan : {kUsual, kCrowd}) {
    const int64_t look = plan.crowded ? kLookInCrowdFor : kLookFor;
    Wait wait;
    const auto time_until_asleep = [&] {
      link_.calls.clear();
      const int64_t start = FakeKernel::now;
      while (link_.calls != "AZD") wait.Idle(link_, plan, processor_);
      return FakeKernel::now - start;
    };
    EXPECT_GE(time_until_asleep(), look);
    for (int i = 0; i < 5; ++i) {
      EXPECT_LE(time_until_asleep(), kSpinFor + 10'000);
    }
    wait.Progress(link_);
    EXPECT_GE(time_until_asleep(), look);
  }
}

// Tests waits for changes that wake no thread. NextNap() steps a wait until it
// has slept once more, and returns the limit of that sleep.
class NapTest : public WaitTest {
 protected:
  NapTest() { link_.stays_armed = true; }
  int64_t NextNap(WaitPlan plan) {
    link_.longest = 0;
    while (link_.longest == 0) {
      wait_.Idle(link_, plan, processor_, EndedBy::kAnything);
    }
    return link_.longest;
  }
  Wait wait_;
};

TEST_F(NapTest, NapsGrowWithTheWaitBetweenTheirLimits) {
  for (const WaitPlan plan : {kUsual, kCrowd, kSleeper}) {
    FakeKernel::Reset();
    FakeKernel::now_step = 1000;
    const int64_t least = plan.crowded ? kMinNapInCrowd : kMinNap;
    EXPECT_EQ(NextNap(plan), least);
    FakeKernel::now += kShareOfWait * 5'000'000;
    EXPECT_NEAR(NextNap(plan), 5'000'000, 20'000);
    // The wait's tick counter wraps within these 20 minutes. The naps keep
    // their length.
    for (int minutes = 0; minutes < 20; ++minutes) {
      FakeKernel::now += 60 * kNanosPerSecond;
      EXPECT_EQ(NextNap(plan), kMaxNap);
    }
    wait_.Progress(link_);
    EXPECT_EQ(NextNap(plan), least) << "something has happened";
    wait_.Progress(link_);
  }
}

TEST_F(NapTest, StaysArmedBetweenNapsAndDoesNotSpin) {
  FakeKernel::now_step = 1000;
  NextNap(kUsual);
  link_.calls.clear();
  for (int i = 0; i < 3; ++i) {
    wait_.Idle(link_, kUsual, processor_, EndedBy::kAnything);
    EXPECT_FALSE(wait_.HasSpun());
  }
  EXPECT_EQ(link_.calls, "ZZZ");
}

// The event that ends the sleep is for another thread.
TEST_F(NapTest, ArmsAnewWhereItWasRungAndGoesOnWithLongNaps) {
  FakeKernel::now_step = 1000;
  NextNap(kSleeper);
  FakeKernel::now += kShareOfWait * kMaxNap;
  link_.stays_armed = false;
  EXPECT_EQ(NextNap(kSleeper), kMaxNap);
  EXPECT_EQ(link_.calls, "AZZD");
  EXPECT_EQ(NextNap(kSleeper), kMaxNap);
  EXPECT_EQ(link_.calls, "AZZDAZD");
}

TEST_F(WaitTest, WhoIsWokenForAllThatItWaitsForSleepsWithoutALimit) {
  Wait wait;
  for (int i = 0; i < 2; ++i) wait.Idle(link_, kSleeper, processor_);
  EXPECT_EQ(link_.longest, kNever);
}

TEST_F(WaitTest, InACrowdItYieldsFromTheFirstStepOnAndStays) {
  FakeKernel::now_step = 1000;
  FakeKernel::yield_takes = 5000;
  lines_[1].cpu_and_one = 0 + 1;
  Wait wait;
  for (uint32_t step = 0; step < 2 * kLooksPerYield; ++step) {
    wait.Idle(link_, kCrowd, processor_);
    EXPECT_EQ(FakeKernel::yields, step < kLooksPerYield ? 1 : 2);
    EXPECT_EQ(wait.HasSpun(), step % kLooksPerYield != 0);
  }
  const int64_t time = TimeUntilArmed(kCrowd);
  EXPECT_GE(time, kLookInCrowdFor);
  EXPECT_LE(time, kLookInCrowdFor + 20'000);
  EXPECT_EQ(FakeKernel::attempts_to_leave, 0);
}

TEST_F(WaitTest, ACrowdComputesAndIsNoStranger) {
  FakeKernel::now_step = 1000;
  FakeKernel::yield_takes = 4'000'000;
  Wait wait;
  for (int i = 0; i < 5; ++i) wait.Idle(link_, kCrowd, processor_);
  EXPECT_FALSE(processor_.IsBusy(FakeKernel::now));
}

TEST_F(WaitTest, StartsOverAfterProgress) {
  FakeKernel::now_step = kLookFor / 4;
  Wait wait;
  for (int round = 0; round < 10; ++round) {
    EXPECT_TRUE(wait.IsNew());
    for (uint32_t i = 0; i < 2 * kLooksPerClock; ++i) {
      wait.Idle(link_, kUsual, processor_);
    }
    EXPECT_FALSE(wait.IsNew());
    wait.Progress(link_);
  }
  EXPECT_EQ(link_.calls, "") << "each round has waited for less than kLookFor";
}

TEST_F(WaitTest, TheClockMayBeginAnywhere) {
  // The first start is at tick 0, the second shortly before the ticks wrap.
  for (const int64_t start : {int64_t{0}, (int64_t{1} << 39) - 5'000'000}) {
    FakeKernel::Reset();
    FakeKernel::now = start;
    FakeKernel::now_step = 10'000;
    const int64_t time = TimeUntilArmed(kUsual);
    EXPECT_GE(time, kLookFor);
    EXPECT_LE(time, kLookFor + 100'000);
  }
}

TEST_F(WaitTest, AllZeroBitsHaveNotBegun) {
  const auto wait = std::bit_cast<Wait>(std::array<uint32_t, 3>{});
  EXPECT_TRUE(wait.IsNew());
  EXPECT_FALSE(wait.HasSpun());
  EXPECT_FALSE(wait.IsToTell());
  EXPECT_FALSE(wait.IsTold());
}

// Tests a wait in each mode. The tests step the wait until it should be
// published.
class LongWaitTest : public WaitTest,
                     public testing::WithParamInterface<WaitPlan> {
 protected:
  LongWaitTest() { FakeKernel::now_step = 10'000; }

  // Returns the nanoseconds that the wait lasts until it should be published.
  int64_t TimeUntilToTell() {
    const int64_t start = FakeKernel::now;
    for (int i = 0; i < kMany && !wait_.IsToTell(); ++i) {
      wait_.Idle(link_, GetParam(), processor_);
    }
    EXPECT_TRUE(wait_.IsToTell());
    return FakeKernel::now - start;
  }
  // Returns the duration up to which waits in this mode count as short.
  static int64_t ShortTime() {
    const WaitPlan plan = GetParam();
    if (plan.mode == WaitMode::kBlock) return 0;
    if (plan.mode == WaitMode::kSpin || !plan.crowded) return kLookFor;
    return kLookInCrowdFor;
  }
  void Step(int steps) {
    for (int i = 0; i < steps; ++i) wait_.Idle(link_, GetParam(), processor_);
  }

  Wait wait_;
};

TEST_P(LongWaitTest, IsToBeToldBeforeItSleeps) {
  link_.on_sleep = [] { ADD_FAILURE() << "asleep"; };
  EXPECT_GE(TimeUntilToTell(), ShortTime());
  EXPECT_FALSE(wait_.IsTold());
  EXPECT_EQ(link_.calls, GetParam().mode == WaitMode::kSpin ? "" : "A");
}

TEST_P(LongWaitTest, IsToldOnce) {
  TimeUntilToTell();
  wait_.SetTold();
  EXPECT_TRUE(wait_.IsTold());
  for (int i = 0; i < 3 * kMany; ++i) {
    Step(1);
    ASSERT_FALSE(wait_.IsToTell());
  }
  EXPECT_TRUE(wait_.IsTold());
}

TEST_P(LongWaitTest, ProgressKeepsThatItIsToldAndNotThatItIsLong) {
  TimeUntilToTell();
  wait_.Progress(link_);
  EXPECT_FALSE(wait_.IsToTell());
  EXPECT_FALSE(wait_.IsTold());
  EXPECT_GE(TimeUntilToTell(), ShortTime());
  wait_.SetTold();
  wait_.Progress(link_);
  EXPECT_TRUE(wait_.IsTold());
  EXPECT_TRUE(wait_.IsNew());
  Step(kMany);
  EXPECT_FALSE(wait_.IsToTell());
}

INSTANTIATE_TEST_SUITE_P(Plans, LongWaitTest,
                         testing::Values(kUsual, kCrowd, kSleeper,
                                         WaitPlan{WaitMode::kSpin, false},
                                         WaitPlan{WaitMode::kSpin, true},
                                         WaitPlan{WaitMode::kBlock, true}));

}  // namespace
}  // namespace gasnet::am
