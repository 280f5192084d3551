// Tests that a thread knows how its processor is used.
#include "core/am/processor.h"

#include <array>
#include <cstdint>
#include <memory>

#include "core/am/cpu_board.h"
#include "core/am/testing/fake_kernel.h"
#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

constexpr size_t kMine = 1;

class ProcessorTest : public testing::Test {
 protected:
  ProcessorTest() {
    FakeKernel::Reset();
    ranks_.Join(lines_, kMine);
  }
  void PutOn(size_t rank, int cpu) {
    lines_[rank].cpu_and_one = static_cast<uint32_t>(cpu) + 1;
  }
  bool Part() { return processor_.Part(FakeKernel::now); }

  std::array<CpuBoard::Line, 4> lines_{};
  CpuBoard ranks_;
  Processor<FakeKernel> processor_{ranks_};
};

TEST_F(ProcessorTest, StaysWhereItIsAlone) {
  FakeKernel::cpu = 7;
  PutOn(0, 6);
  PutOn(2, 0);
  PutOn(kMine, 7);
  EXPECT_FALSE(Part());
  EXPECT_EQ(FakeKernel::attempts_to_leave, 0);
}

TEST_F(ProcessorTest, TellsWhereItIsWhenItAsks) {
  FakeKernel::cpu = 7;
  Part();
  EXPECT_EQ(lines_[kMine].cpu_and_one, 7u + 1);
  EXPECT_EQ(lines_[0].cpu_and_one, 0u);
}

TEST_F(ProcessorTest, LeavesForAProcessorWithoutRanks) {
  FakeKernel::cpus_allowed = {0, 1, 2, 3};
  PutOn(0, 0);
  PutOn(2, 1);
  PutOn(3, 3);
  EXPECT_TRUE(Part());
  EXPECT_EQ(FakeKernel::cpu, 2);
  EXPECT_EQ(lines_[kMine].cpu_and_one, 2u + 1);
}

TEST_F(ProcessorTest, StaysWhereNoneIsWithoutRanks) {
  PutOn(0, 0);
  PutOn(2, 1);
  EXPECT_FALSE(Part());
  EXPECT_EQ(FakeKernel::attempts_to_leave, 1);
  FakeKernel::now += kAskInterval;
  EXPECT_FALSE(Part());
  EXPECT_EQ(FakeKernel::attempts_to_leave, 1) << "not again so soon";
}

TEST_F(ProcessorTest, AsksNotTooOften) {
  EXPECT_FALSE(Part());
  PutOn(0, 0);
  FakeKernel::now += kAskInterval - 1;
  EXPECT_FALSE(Part());
  FakeKernel::now += 1;
  EXPECT_TRUE(Part());
}

TEST_F(ProcessorTest, MovesAreSoonFartherApart) {
  int moves = 0;
  const int64_t end = FakeKernel::now + 10 * kLongestStay;
  for (; FakeKernel::now < end; FakeKernel::now += kMinStay / 2) {
    // the other rank always moves to this processor too
    PutOn(0, FakeKernel::cpu);
    if (Part()) ++moves;
  }
  // Each doubling of the pause takes one move. Once the pause has its maximum,
  // each pause takes one more move.
  EXPECT_GE(moves, 10);
  EXPECT_LE(moves, 25);
  // After a long time without moves, pauses are short again.
  FakeKernel::now += kSettled * kLongestStay;
  for (int i = 0; i < 2; ++i) {
    PutOn(0, FakeKernel::cpu);
    EXPECT_TRUE(Part());
    FakeKernel::now += kMinStay;
  }
}

TEST_F(ProcessorTest, IsBusyAfterALongGap) {
  processor_.Look(true);
  FakeKernel::now += kOthersCompute + 1;
  ++FakeKernel::preemptions;
  const int64_t now = processor_.Look(false);
  EXPECT_TRUE(processor_.IsBusy(now));
  EXPECT_TRUE(processor_.IsBusy(now + kBusyMemory - 1));
  EXPECT_FALSE(processor_.IsBusy(now + kBusyMemory));
}

TEST_F(ProcessorTest, ItsOwnWorkMakesItNotBusy) {
  FakeKernel::preemptions = 3;
  processor_.Look(true);
  FakeKernel::now += kOthersCompute + 1;
  processor_.Look(false);
  FakeKernel::now += kBusyMemory;
  // From here on the thread has a count of preemptions to compare with.
  processor_.Look(true);
  FakeKernel::now += kOthersCompute + 1;
  EXPECT_FALSE(processor_.IsBusy(processor_.Look(false)));
}

TEST_F(ProcessorTest, BetweenWaitsAnythingMayHaveHappened) {
  processor_.Look(true);
  FakeKernel::now += 10 * kOthersCompute;
  ++FakeKernel::preemptions;
  EXPECT_FALSE(processor_.IsBusy(processor_.Look(true)));
}

TEST_F(ProcessorTest, AMoveIsNoGap) {
  PutOn(0, 0);
  processor_.Look(true);
  FakeKernel::now_step = kOthersCompute;
  ++FakeKernel::preemptions;
  EXPECT_TRUE(Part());
  FakeKernel::now_step = 0;
  EXPECT_FALSE(processor_.IsBusy(processor_.Look(false)));
}

TEST(CpuBoardTest, AreNowhereBeforeTheyJoin) {
  FakeKernel::Reset();
  // Not on the stack, because the address sanitizer does not align the stack
  // enough.
  const auto place = std::make_unique<CpuBoard>();
  CpuBoard& nobody = *place;
  Processor<FakeKernel> processor(nobody);
  processor.ReportHere();
  EXPECT_FALSE(processor.Part(FakeKernel::now));
  processor.ReportAsleep();
}

}  // namespace
}  // namespace gasnet::am
