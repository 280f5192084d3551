// Tests the state machines of the barriers by active message: N simulated ranks
// in one process, a network that delivers in any order, and schedules that
// depend on a seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "extended/barrier_central.h"
#include "extended/barrier_dissemination.h"

namespace gasnet::extended {
namespace {

BarrierVote RandomVote(std::mt19937_64& random) {
  switch (random() % 16) {
    case 0:
      return {.mismatch = true};
    case 1:
      return {.named = true, .id = static_cast<int32_t>(random() % 2)};
    case 2:
    case 3:
    case 4:
      return {};
    default:
      return {.named = true, .id = 7};
  }
}

// A job whose ranks go through barriers at their own pace.
template <class StateMachine>
class SimulatedJob {
 public:
  SimulatedJob(Rank size, uint32_t phases, uint64_t seed)
      : size_(size), phases_(phases), random_(seed), all_(phases + 1) {
    for (Rank rank = 0; rank < size; ++rank)
      ranks_.push_back(std::make_unique<Simulated>(rank, size));
  }

  void Run() {
    // A generous limit: in a barrier each rank and each message takes only a
    // few steps.
    uint64_t steps_left = uint64_t{1000} * phases_ * size_ * (size_ + 10);
    while (finished_ < size_ && !::testing::Test::HasFatalFailure()) {
      ASSERT_GT(steps_left--, 0u) << "the barrier hangs";
      Step();
    }
    EXPECT_TRUE(network_.empty());
  }

 private:
  struct Simulated {
    Simulated(Rank rank, Rank size) : state(rank, size) {}
    StateMachine state;
    uint32_t phase = 0;  // the last phase that the rank has notified
    bool notified = false;
  };
  struct InFlight {
    Rank to;
    BarrierMessage message;
  };
  struct Phase {
    Rank notified = 0;
    std::optional<BarrierVote> merged;
    std::optional<BarrierVote> result;
  };

  void Step() {
    if (!network_.empty() && random_() % 2 == 0) {
      DeliverOne();
    } else {
      Act(static_cast<Rank>(random_() % size_));
    }
  }

  void DeliverOne() {
    std::swap(network_[random_() % network_.size()], network_.back());
    const InFlight taken = network_.back();
    network_.pop_back();
    ASSERT_TRUE(ranks_[taken.to]->state.Receive(taken.message));
  }

  void Act(Rank rank) {
    Simulated& self = *ranks_[rank];
    if (!self.notified) {
      if (self.phase < phases_) Notify(self);
      return;
    }
    BarrierMessage message;
    if (self.state.Next(message)) {
      const Rank to = message.peer;
      message.peer = rank;
      network_.push_back({to, message});
    } else if (self.state.Done()) {
      Complete(self);
    }
  }

  void Notify(Simulated& self) {
    Phase& phase = all_[++self.phase];
    const BarrierVote vote = RandomVote(random_);
    phase.merged = phase.merged ? Merge(*phase.merged, vote) : vote;
    ++phase.notified;
    self.notified = true;
    self.state.Notify(vote);
  }

  void Complete(Simulated& self) {
    Phase& phase = all_[self.phase];
    ASSERT_EQ(phase.notified, size_) << "done before all have notified";
    const BarrierVote result = self.state.Result();
    EXPECT_EQ(result.named, phase.merged->named);
    EXPECT_EQ(result.mismatch, phase.merged->mismatch);
    if (result.named && !result.mismatch) {
      EXPECT_EQ(result.id, phase.merged->id);
    }
    self.notified = false;
    if (self.phase == phases_) ++finished_;
  }

  const Rank size_;
  const uint32_t phases_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Simulated>> ranks_;
  std::vector<Phase> all_;
  std::vector<InFlight> network_;
  Rank finished_ = 0;
};

template <class StateMachine>
class BarrierStateTest : public ::testing::Test {};

using StateMachines = ::testing::Types<DisseminationBarrier, CentralBarrier>;
TYPED_TEST_SUITE(BarrierStateTest, StateMachines);

TYPED_TEST(BarrierStateTest, EveryRankLearnsEveryVote) {
  for (const Rank size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 33}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(::testing::Message() << "size " << size << " seed " << seed);
      SimulatedJob<TypeParam>(size, 20, seed).Run();
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(BarrierStateTest, ManyPhasesReuseTheSameState) {
  SimulatedJob<TypeParam>(3, 5000, 1).Run();
}

TYPED_TEST(BarrierStateTest, OneRankIsDoneAtOnce) {
  TypeParam state(0, 1);
  BarrierMessage message;
  state.Notify({.named = true, .id = 3});
  EXPECT_FALSE(state.Next(message));
  EXPECT_TRUE(state.Done());
  EXPECT_EQ(state.Result(), (BarrierVote{.named = true, .id = 3}));
}

TYPED_TEST(BarrierStateTest, RefusesWhatCannotCome) {
  TypeParam state(0, 3);
  EXPECT_FALSE(state.Receive({.peer = 2, .phase = 0, .step = 0, .vote = {}}));
  EXPECT_FALSE(state.Receive({.peer = 2, .phase = 2, .step = 0, .vote = {}}));
  EXPECT_FALSE(state.Receive({.peer = 2, .phase = 1, .step = 9, .vote = {}}));
  EXPECT_FALSE(state.Receive({.peer = 0, .phase = 1, .step = 0, .vote = {}}));
  EXPECT_TRUE(state.Receive({.peer = 2, .phase = 1, .step = 0, .vote = {}}));
}

TEST(DisseminationBarrierTest, RefusesASecondMessageAndTheWrongSender) {
  DisseminationBarrier state(0, 3);
  EXPECT_FALSE(state.Receive({.peer = 1, .phase = 1, .step = 0, .vote = {}}));
  EXPECT_TRUE(state.Receive({.peer = 2, .phase = 1, .step = 0, .vote = {}}));
  EXPECT_FALSE(state.Receive({.peer = 2, .phase = 1, .step = 0, .vote = {}}));
}

TEST(CentralBarrierTest, RefusesMoreVotesThanRanks) {
  CentralBarrier state(0, 3);
  EXPECT_TRUE(state.Receive({.peer = 1, .phase = 1, .step = 0, .vote = {}}));
  EXPECT_TRUE(state.Receive({.peer = 2, .phase = 1, .step = 0, .vote = {}}));
  EXPECT_FALSE(state.Receive({.peer = 2, .phase = 1, .step = 0, .vote = {}}));
}

TEST(CentralBarrierTest, OnlyTheCenterTellsResults) {
  CentralBarrier state(1, 3);
  EXPECT_FALSE(state.Receive({.peer = 2, .phase = 1, .step = 1, .vote = {}}));
  EXPECT_FALSE(state.Receive({.peer = 0, .phase = 1, .step = 0, .vote = {}}));
  // The result cannot arrive before this rank has voted.
  EXPECT_FALSE(state.Receive({.peer = 0, .phase = 1, .step = 1, .vote = {}}));
  state.Notify({});
  EXPECT_TRUE(state.Receive({.peer = 0, .phase = 1, .step = 1, .vote = {}}));
  EXPECT_FALSE(state.Receive({.peer = 0, .phase = 1, .step = 1, .vote = {}}));
}

TEST(BarrierVoteTest, MergeFollowsTheSpecification) {
  const BarrierVote anonymous;
  const BarrierVote forced = {.mismatch = true};
  const BarrierVote one = {.named = true, .id = 1};
  const BarrierVote two = {.named = true, .id = 2};
  EXPECT_EQ(Merge(anonymous, anonymous), anonymous);
  EXPECT_EQ(Merge(anonymous, one), one);
  EXPECT_EQ(Merge(one, anonymous), one);
  EXPECT_EQ(Merge(one, one), one);
  EXPECT_TRUE(Merge(one, two).mismatch);
  EXPECT_TRUE(Merge(Merge(one, anonymous), two).mismatch);
  EXPECT_TRUE(Merge(forced, one).mismatch);
  EXPECT_TRUE(Merge(anonymous, forced).mismatch);
}

TEST(BarrierMessageTest, APhaseIsNearWhenItIsThisOrTheNext) {
  EXPECT_TRUE(IsNear(5, 5));
  EXPECT_TRUE(IsNear(6, 5));
  EXPECT_FALSE(IsNear(7, 5));
  EXPECT_FALSE(IsNear(4, 5));
  EXPECT_TRUE(IsNear(0, 0xffffffffu));
}

}  // namespace
}  // namespace gasnet::extended
