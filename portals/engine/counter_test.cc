#include "portals/engine/counter.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "gtest/gtest.h"
#include "portals/testing/least_region.h"

namespace gasnet::portals4 {
namespace {

// After a slot is reused, peers may still run operations that waited for its
// previous counter.
TEST(CounterTest, IsOpenedAnewWithWhoStillRunsWhatIsDue) {
  IdentifyThisProcess();
  CtRecord ct = {};
  OpenCounter(ct);
  const Holding runs(ct.runner);
  ct.running.store(5, std::memory_order_relaxed);
  ct.success.store(7, std::memory_order_relaxed);
  OpenCounter(ct);
  EXPECT_FALSE(ct.runner.TryAcquire());
  EXPECT_EQ(5u, ct.running.load(std::memory_order_relaxed));
  EXPECT_EQ(0u, ValueOf(ct).total());
}

class SetTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
    OpenCounter(ct_);
  }
  bool SetTo(uint64_t success, uint64_t failure) {
    return Set(view_, ct_, success, failure);
  }

  // Forks a process that takes the lock, stores `sets` and dies.
  void DieSetting(uint32_t sets) {
    const pid_t child = fork();
    if (child == 0) {
      IdentifyThisProcess();
      ct_.lock.Acquire(DeadHolder::kTakeOver);
      ct_.sets.store(sets, std::memory_order_seq_cst);
      _exit(0);
    }
    ASSERT_EQ(child, waitpid(child, nullptr, 0));
  }

  static constexpr Counts kCounts = LeastCounts();
  static constexpr int kSets = 200'000;
  Region region_ = MakeRegion(kCounts);
  View view_{region_.memory(), kCounts};
  CtRecord& ct_ = *view_.CtAt(1);
};

TEST_F(SetTest, NobodySeesHalvesOfTwoValues) {
  SetTo(0, 5);
  ct_.due_at.store(6, std::memory_order_seq_cst);
  std::atomic<bool> done{false};
  std::thread setter([&] {
    for (int i = 0; i < kSets; ++i) SetTo(i % 2 * 5, 5 - i % 2 * 5);
    done.store(true, std::memory_order_release);
  });
  int wrong = 0;
  int due = 0;
  do {
    if (ValueOf(ct_).total() != 5) ++wrong;
    if (Add(view_, ct_, 0, 0)) ++due;
  } while (!done.load(std::memory_order_acquire));
  setter.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(due, 0);
}

TEST_F(SetTest, TwoSettersLeaveTheValueOfOne) {
  const auto set = [&](uint64_t value) {
    for (int i = 0; i < kSets; ++i) SetTo(value, value);
  };
  std::thread other(set, 1);
  int mixed = 0;
  for (int i = 0; i < kSets; ++i) {
    SetTo(2, 2);
    const CtValue value = ValueOf(ct_);
    if (value.success != value.failure) ++mixed;
  }
  other.join();
  EXPECT_EQ(mixed, 0);
}

// Set waits for the lock. It takes over a dead process's lock, and releases it.
TEST_F(SetTest, SettersHaveTheLock) {
  DieSetting(0);
  SetTo(1, 1);
  EXPECT_TRUE(ct_.lock.TryAcquire());
}

TEST_F(SetTest, ReadersWaitForASetter) {
  DieSetting(1);
  EXPECT_EQ(ValueOf(ct_).total(), 0U);
  EXPECT_TRUE(ct_.lock.TryAcquire());
  EXPECT_EQ(ct_.sets.load(std::memory_order_seq_cst) % 2, 0U)
      << "the next one waits again";
}

TEST_F(SetTest, ACounterIsOpenedWithoutASetter) {
  DieSetting(1);
  OpenCounter(ct_);
  EXPECT_EQ(ct_.sets.load(std::memory_order_seq_cst) % 2, 0U);
}

TEST_F(SetTest, ASetterThatDiedHoldsNobodyUp) {
  DieSetting(1);
  ct_.due_at.store(3, std::memory_order_seq_cst);
  EXPECT_TRUE(Add(view_, ct_, 3, 0));
}

TEST_F(SetTest, ASetEndsThatOfOneThatDied) {
  DieSetting(1);
  SetTo(1, 1);
  EXPECT_EQ(ct_.sets.load(std::memory_order_seq_cst) % 2, 0U);
  EXPECT_EQ(ValueOf(ct_).total(), 2U);
}

TEST_F(SetTest, BelowZeroIsAboveEveryThreshold) {
  SetTo(3, 0);
  ct_.due_at.store(4, std::memory_order_seq_cst);
  EXPECT_FALSE(Add(view_, ct_, ~uint64_t{0}, 0));
  EXPECT_EQ(ValueOf(ct_).total(), 2U);
  EXPECT_TRUE(Add(view_, ct_, uint64_t{0} - 3, 0));
}

}  // namespace
}  // namespace gasnet::portals4
