#include "portals/engine/trigger.h"

#include <sys/wait.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "portals/engine/counter.h"
#include "portals/engine/due.h"
#include "portals/testing/least_region.h"

namespace gasnet::portals4 {
namespace {

std::vector<uint64_t>& Thresholds() {
  static std::vector<uint64_t> thresholds;
  return thresholds;
}

class TriggerTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
    OpenCounter(ct_);
    OpenCounter(other_);
    Thresholds().clear();
  }

  uint32_t Wait(CtRecord& ct, uint64_t threshold) {
    const uint32_t slot = peer_.view.TakeTrigger();
    TriggerRecord& record = *peer_.view.TriggerAt(slot);
    record.threshold = threshold;
    record.action = static_cast<uint32_t>(Action::kCtInc);
    AddTrigger(peer_.view, ct, slot);
    return slot;
  }
  // Adds `growth` to the counter. Returns the thresholds of the operations that
  // run.
  std::vector<uint64_t> Runs(uint64_t growth) {
    Add(peer_.view, ct_, growth, 0);
    NoteDue(peer_, 1);
    RunDue([](PeerInterface&, const TriggerRecord& trigger) {
      Thresholds().push_back(trigger.threshold);
    });
    return std::exchange(Thresholds(), {});
  }
  // Lets a runner die while it takes the first operation of the list. The
  // runner dies after `running` names the operation. If `takes_it_out` is true,
  // the runner first takes the operation out of the list.
  void DieTaking(bool takes_it_out) {
    const pid_t child = fork();
    if (child == 0) {
      IdentifyThisProcess();
      const Holding runs(ct_.runner);
      const Holding takes(ct_.lock);
      const uint32_t first = ct_.head.load(std::memory_order_relaxed);
      ct_.running.store(first, std::memory_order_relaxed);
      if (takes_it_out) {
        ct_.head.store(
            peer_.view.TriggerAt(first)->next.load(std::memory_order_relaxed),
            std::memory_order_relaxed);
      }
      _exit(0);
    }
    ASSERT_EQ(child, waitpid(child, nullptr, 0));
  }
  void ExpectAllFree() {
    std::vector<bool> seen(kCounts.triggers + 1, false);
    for (uint32_t i = 0; i < kCounts.triggers; ++i) {
      const uint32_t slot = peer_.view.TakeTrigger();
      ASSERT_NE(slot, 0U) << "one has been lost";
      EXPECT_FALSE(seen[slot]) << "one was given back twice";
      seen[slot] = true;
    }
  }

  static constexpr Counts kCounts = {.pts = 1,
                                     .entries = 1,
                                     .unexpected = 1,
                                     .mds = 1,
                                     .eqs = 1,
                                     .cts = 2,
                                     .triggers = 3};
  using List = std::vector<uint64_t>;
  Region region_ = MakeRegion(kCounts);
  PeerInterface peer_{View(region_.memory(), kCounts), getpid(), true};
  CtRecord& ct_ = *peer_.view.CtAt(1);
  CtRecord& other_ = *peer_.view.CtAt(2);
};

TEST_F(TriggerTest, RunsInTheOrderOfThresholds) {
  Wait(ct_, 3);
  Wait(ct_, 1);
  Wait(ct_, 9);
  EXPECT_EQ(Runs(5), (List{1, 3}));
  EXPECT_EQ(Runs(4), (List{9}));
  ExpectAllFree();
}

// `first` is in the list and in the pool. Each run frees a record, and freeing
// links it again. So the list never ends.
TEST_F(TriggerTest, ARingInCorruptedMemoryEnds) {
  const uint32_t first = Wait(ct_, 1);
  const uint32_t second = Wait(ct_, 1);
  peer_.view.GiveTrigger(first);
  peer_.view.TriggerAt(first)->next.store(second, std::memory_order_relaxed);
  peer_.view.TriggerAt(second)->next.store(first, std::memory_order_relaxed);
  EXPECT_EQ(Runs(1).size(), kCounts.triggers);
}

TEST_F(TriggerTest, ARingThatMakesItselfDueEnds) {
  const uint32_t first = Wait(ct_, 1);
  const uint32_t second = Wait(ct_, 1);
  peer_.view.GiveTrigger(first);
  peer_.view.TriggerAt(first)->next.store(second, std::memory_order_relaxed);
  peer_.view.TriggerAt(second)->next.store(first, std::memory_order_relaxed);
  static uint32_t runs;
  runs = 0;
  Add(peer_.view, ct_, 1, 0);
  NoteDue(peer_, 1);
  RunDue([](PeerInterface& owner, const TriggerRecord&) {
    ++runs;
    NoteDue(owner, 1);
  });
  EXPECT_EQ(runs, kMaxCounts.triggers);
  EXPECT_FALSE(AnythingDue()) << "the rest is left to others";
}

TEST_F(TriggerTest, ACounterIsNotedOnce) {
  NoteDue(peer_, 1);
  NoteDue(peer_, 2);
  NoteDue(peer_, 1);
  Due due;
  ASSERT_TRUE(TakeDue(due));
  EXPECT_EQ(due.ct, 1U);
  ASSERT_TRUE(TakeDue(due));
  EXPECT_EQ(due.ct, 2U);
  EXPECT_FALSE(TakeDue(due));
}

TEST_F(TriggerTest, RunsNothingEarlyForOneThatDiedTaking) {
  Wait(ct_, 1);
  Wait(ct_, 5);
  Add(peer_.view, ct_, 1, 0);
  DieTaking(true);
  EXPECT_EQ(Runs(1), List()) << "the first went with its runner";
  EXPECT_EQ(Runs(3), (List{5}));
  ExpectAllFree();
}

TEST_F(TriggerTest, WhatTheDeadHadOnlyNamedIsRunOnce) {
  Wait(ct_, 2);
  Add(peer_.view, ct_, 2, 0);
  DieTaking(false);
  Wait(ct_, 1);
  EXPECT_EQ(Runs(0), (List{1, 2}));
  ExpectAllFree();
}

TEST_F(TriggerTest, WhatTheDeadHadOnlyNamedCanBeCancelled) {
  Wait(ct_, 1);
  Add(peer_.view, ct_, 1, 0);
  DieTaking(false);
  const uint32_t cancelled = TakeAnyTrigger(peer_.view, ct_);
  ASSERT_NE(cancelled, 0U);
  peer_.view.GiveTrigger(cancelled);
  EXPECT_EQ(Wait(other_, 9), cancelled) << "the slot is used again";
  EXPECT_EQ(Runs(1), List());
  const uint32_t one = peer_.view.TakeTrigger();
  EXPECT_NE(one, cancelled) << "it is in use";
}

}  // namespace
}  // namespace gasnet::portals4
