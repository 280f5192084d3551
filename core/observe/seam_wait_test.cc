// Tests of the observation of waits (seam.h), on one thread. The tests check
// only that one time is at least as long as another.
#include <cstdint>

#include "core/observe/seam.h"
#include "core/observe/testing/observed_test.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

class SeamWaitTest : public ObservedTest {
 protected:
  // Runs `body` inside a wait with this reason.
  template <class Body>
  static void WaitDuring(WaitFor what, Body body) {
    ObservedWait wait;
    wait.Begin();
    body();
    wait.End([=] { return Waiting{.what = what}; });
  }
  static void WaitShortly(WaitFor what) {
    WaitDuring(what, [] { PassTime(); });
  }
  uint64_t Elapsed() const {
    return static_cast<uint64_t>(NowNanos() - begun_);
  }

  const int64_t begun_ = NowNanos();
};

constexpr uint64_t kShortly = uint64_t{kNanosPerMilli};

TEST_F(SeamWaitTest, AWaitIsOneOfItsReasonAndOfItsCall) {
  Function<Call::kBarrierWait>(kNobody, 0,
                               [] { WaitShortly(WaitFor::kBarrier); });
  EXPECT_EQ(OfWait(WaitFor::kBarrier).timed, 1u);
  EXPECT_GE(OfWait(WaitFor::kBarrier).sum, kShortly);
  EXPECT_LE(OfWait(WaitFor::kBarrier).sum, Elapsed());
  EXPECT_EQ(OfWait(WaitFor::kRoom).timed, 0u);
  EXPECT_EQ(Of(Call::kBarrierWait).waits, 1u);
  EXPECT_EQ(Of(Call::kBarrierWait).waiting, OfWait(WaitFor::kBarrier).sum);
  EXPECT_EQ(Of(Call::kNone).waits, 0u);
}

TEST_F(SeamWaitTest, AWaitOutsideOfCallsIsOneOfNoCall) {
  Function<Call::kPut>(1, 1);
  WaitShortly(WaitFor::kAllRanks);
  EXPECT_EQ(Of(Call::kNone).waits, 1u);
  EXPECT_EQ(Of(Call::kNone).waiting, OfWait(WaitFor::kAllRanks).sum);
  EXPECT_GE(Of(Call::kNone).waiting, kShortly);
  EXPECT_EQ(Of(Call::kPut).waits, 0u);
}

TEST_F(SeamWaitTest, TheTimeOfACallIsWorkAndWaits) {
  const int64_t before = NowNanos();
  Function<Call::kPut>(1, 1, [] {
    PassTime();
    WaitShortly(WaitFor::kRoom);
    WaitShortly(WaitFor::kTransfers);
  });
  const auto elapsed = static_cast<uint64_t>(NowNanos() - before);
  const CallTotal& put = Of(Call::kPut);
  EXPECT_EQ(put.waits, 2u);
  EXPECT_GE(put.waiting, 2 * kShortly);
  EXPECT_GE(put.times.sum, kShortly);
  EXPECT_LE(put.time(), elapsed);
  EXPECT_EQ(put.times.least, put.time());
  EXPECT_EQ(put.times.most, put.time());
}

TEST_F(SeamWaitTest, EarlierWaitsAreNoPartOfACall) {
  WaitShortly(WaitFor::kAllRanks);
  Function<Call::kGet>(1, 1, [] { WaitShortly(WaitFor::kRoom); });
  const int64_t before = NowNanos();
  Function<Call::kPut>(1, 1, [] { PassTime(); });
  const auto elapsed = static_cast<uint64_t>(NowNanos() - before);
  EXPECT_EQ(Of(Call::kPut).waits, 0u);
  EXPECT_EQ(Of(Call::kPut).waiting, 0u);
  EXPECT_GE(Of(Call::kPut).times.sum, kShortly);
  EXPECT_LE(Of(Call::kPut).times.sum, elapsed);
}

TEST_F(SeamWaitTest, AMomentOfTwoWaitsBelongsToTheInnerOne) {
  const int64_t before = NowNanos();
  WaitDuring(WaitFor::kRoom, [] {
    PassTime();
    WaitShortly(WaitFor::kBarrier);
    WaitShortly(WaitFor::kBarrier);
  });
  const auto elapsed = static_cast<uint64_t>(NowNanos() - before);
  EXPECT_EQ(OfWait(WaitFor::kBarrier).timed, 2u);
  EXPECT_GE(OfWait(WaitFor::kBarrier).sum, 2 * kShortly);
  EXPECT_EQ(OfWait(WaitFor::kRoom).timed, 1u);
  EXPECT_GE(OfWait(WaitFor::kRoom).sum, kShortly);
  EXPECT_LE(OfWait(WaitFor::kRoom).sum + OfWait(WaitFor::kBarrier).sum,
            elapsed);
  EXPECT_EQ(Of(Call::kNone).waiting,
            OfWait(WaitFor::kRoom).sum + OfWait(WaitFor::kBarrier).sum);
}

// Three nested waits.
TEST_F(SeamWaitTest, MomentsAreCountedOnceAtAnyDepth) {
  const int64_t before = NowNanos();
  WaitDuring(WaitFor::kRoom, [] {
    WaitDuring(WaitFor::kBarrier, [] {
      PassTime();
      WaitShortly(WaitFor::kTransfers);
    });
    PassTime();
  });
  const auto elapsed = static_cast<uint64_t>(NowNanos() - before);
  const uint64_t all = OfWait(WaitFor::kRoom).sum +
                       OfWait(WaitFor::kBarrier).sum +
                       OfWait(WaitFor::kTransfers).sum;
  EXPECT_GE(all, 3 * kShortly);
  EXPECT_LE(all, elapsed);
  EXPECT_GE(OfWait(WaitFor::kRoom).sum, kShortly);
  EXPECT_GE(OfWait(WaitFor::kBarrier).sum, kShortly);
}

// A handler runs while a call waits, and the handler's reply waits too. Each
// call counts its own waits.
TEST_F(SeamWaitTest, AWaitOfAHandlersCallIsOneOfThatCall) {
  const int64_t before = NowNanos();
  Function<Call::kBarrierWait>(kNobody, 0, [] {
    WaitDuring(WaitFor::kBarrier, [] {
      PassTime();
      const HandlerObservation scope(1, 200, 0);
      Function<Call::kAMReplyShort>(1, 0, [] { WaitShortly(WaitFor::kRoom); });
    });
    WaitShortly(WaitFor::kTransfers);  // another wait of the outer call
  });
  const auto elapsed = static_cast<uint64_t>(NowNanos() - before);
  const CallTotal reply = Of(Call::kAMReplyShort);
  EXPECT_EQ(reply.waits, 1u);
  EXPECT_EQ(reply.waiting, OfWait(WaitFor::kRoom).sum);
  EXPECT_LE(reply.time(), elapsed);
  const CallTotal barrier = Of(Call::kBarrierWait);
  EXPECT_EQ(barrier.waits, 2u);
  EXPECT_EQ(barrier.waiting,
            OfWait(WaitFor::kBarrier).sum + OfWait(WaitFor::kTransfers).sum);
  EXPECT_GE(barrier.waiting, 2 * kShortly);
  EXPECT_LE(barrier.time() + reply.waiting, elapsed);
  EXPECT_EQ(Of(Call::kNone).waits, 0u);
}

// A handler replies after the outer call has already waited.
TEST_F(SeamWaitTest, WaitsBeforeAHandlerAreNoWorkOfItsOuterCall) {
  const int64_t before = NowNanos();
  Function<Call::kBarrierWait>(kNobody, 0, [] {
    WaitShortly(WaitFor::kBarrier);
    const HandlerObservation scope(1, 200, 0);
    Function<Call::kAMReplyShort>(1, 0);
  });
  const auto elapsed = static_cast<uint64_t>(NowNanos() - before);
  EXPECT_GE(Of(Call::kBarrierWait).waiting, kShortly);
  EXPECT_LE(Of(Call::kBarrierWait).time(), elapsed);
}

// The handler itself waits, outside of any call of its own.
TEST_F(SeamWaitTest, AWaitOfAHandlerIsOneOfNoCall) {
  Function<Call::kAMPoll>(kNobody, 0, [] {
    const HandlerObservation scope(1, 200, 0);
    WaitShortly(WaitFor::kAnything);
  });
  EXPECT_EQ(Of(Call::kAMPoll).waits, 0u);
  EXPECT_EQ(Of(Call::kNone).waits, 1u);
}

TEST_F(SeamWaitTest, TheMostIsAlsoThatOfUntimedCalls) {
  for (int i = 0; i < 64; ++i) Function<Call::kPut>(1, 1);
  Function<Call::kPut>(1, 1, [] { WaitShortly(WaitFor::kRoom); });
  const CallTotal& put = Of(Call::kPut);
  EXPECT_EQ(put.times.timed, 64u);
  EXPECT_EQ(put.waits, 1u);
  EXPECT_GE(put.times.most, put.waiting);
}

TEST_F(SeamWaitTest, AWaitBelongsToItsReasonAtTheEnd) {
  ObservedWait wait;
  wait.Begin();
  WaitFor what = WaitFor::kAnything;
  what = WaitFor::kCollective;
  wait.End([&] { return Waiting{.what = what}; });
  EXPECT_EQ(OfWait(WaitFor::kCollective).timed, 1u);
  EXPECT_EQ(OfWait(WaitFor::kAnything).timed, 0u);
}

TEST_F(SeamWaitTest, StepsOfAConditionAreOneWait) {
  for (int i = 0; i < 3; ++i) {
    NoteConditionStep();
    PassTime();
  }
  EXPECT_EQ(OfWait(WaitFor::kCondition).timed, 0u) << "it is not over";
  EndCondition();
  EXPECT_EQ(OfWait(WaitFor::kCondition).timed, 1u);
  EXPECT_GE(OfWait(WaitFor::kCondition).sum, 3 * kShortly);
  EXPECT_LE(OfWait(WaitFor::kCondition).sum, Elapsed());
  EXPECT_EQ(Of(Call::kNone).waits, 1u);
  EXPECT_EQ(Of(Call::kNone).waiting, OfWait(WaitFor::kCondition).sum);
}

TEST_F(SeamWaitTest, AConditionThatHeldAtOnceIsNoWait) {
  EndCondition();
  EXPECT_EQ(OfWait(WaitFor::kCondition).timed, 0u);
  NoteConditionStep();
  EndCondition();
  EndCondition();
  EXPECT_EQ(OfWait(WaitFor::kCondition).timed, 1u);
}

TEST_F(SeamWaitTest, TheNextConditionIsAnotherWait) {
  NoteConditionStep();
  EndCondition();
  PassTime();
  const int64_t before = NowNanos();
  const uint64_t first = OfWait(WaitFor::kCondition).sum;
  NoteConditionStep();
  EndCondition();
  EXPECT_EQ(OfWait(WaitFor::kCondition).timed, 2u);
  EXPECT_LE(OfWait(WaitFor::kCondition).sum - first,
            static_cast<uint64_t>(NowNanos() - before));
}

// A get of the client runs between two steps of GASNET_BLOCKUNTIL.
TEST_F(SeamWaitTest, WaitsOfCallsInAConditionAreTheirOwn) {
  const int64_t before = NowNanos();
  NoteConditionStep();
  Function<Call::kGet>(1, 1, [] { WaitShortly(WaitFor::kTransfers); });
  NoteConditionStep();
  PassTime();
  EndCondition();
  const auto elapsed = static_cast<uint64_t>(NowNanos() - before);
  EXPECT_EQ(OfWait(WaitFor::kCondition).timed, 1u);
  EXPECT_EQ(Of(Call::kGet).waits, 1u);
  EXPECT_EQ(Of(Call::kNone).waiting, OfWait(WaitFor::kCondition).sum);
  EXPECT_LE(OfWait(WaitFor::kCondition).sum + OfWait(WaitFor::kTransfers).sum,
            elapsed);
}

TEST_F(SeamWaitTest, WaitsHaveAGroupOfTheirOwn) {
  SetMask("B");
  Function<Call::kBarrierWait>(kNobody, 0,
                               [] { WaitShortly(WaitFor::kBarrier); });
  WaitShortly(WaitFor::kAllRanks);
  EXPECT_EQ(OfWait(WaitFor::kBarrier).timed, 0u);
  EXPECT_EQ(Of(Call::kBarrierWait).waits, 1u);
  EXPECT_EQ(Of(Call::kNone).waits, 0u);
  SetMask("SO");
  Function<Call::kBarrierWait>(kNobody, 0,
                               [] { WaitShortly(WaitFor::kBarrier); });
  WaitShortly(WaitFor::kAllRanks);
  EXPECT_EQ(OfWait(WaitFor::kBarrier).timed, 1u);
  EXPECT_EQ(Of(Call::kBarrierWait).waits, 1u);
  EXPECT_EQ(Of(Call::kNone).waits, 1u);
}

// The estimate of a call's work excludes waits, even if the mask excludes waits
// from the counts.
TEST_F(SeamWaitTest, AMaskedWaitIsNoWork) {
  SetMask("P");
  const int64_t before = NowNanos();
  Function<Call::kPut>(1, 1, [] {
    WaitShortly(WaitFor::kRoom);
    PassTime();
  });
  const auto elapsed = static_cast<uint64_t>(NowNanos() - before);
  EXPECT_LE(Of(Call::kPut).time(), elapsed);
  EXPECT_LE(Of(Call::kPut).times.sum + kShortly, elapsed);
}

TEST_F(SeamWaitTest, AThreadMayBeginWithAWait) {
  WaitShortly(WaitFor::kAllRanks);
  EXPECT_EQ(OfWait(WaitFor::kAllRanks).timed, 1u);
  EXPECT_EQ(Now().threads, 1u);
  Function<Call::kPut>(1, 1);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Now().threads, 1u);
}

// Observing starts in the middle of a wait.
TEST_F(SeamWaitTest, AWaitThatBeganUnobservedIsNotCounted) {
  End();
  ObservedWait wait;
  wait.Begin();
  Start();
  wait.End([] { return Waiting{}; });
  EXPECT_EQ(OfWait(WaitFor::kAnything).timed, 0u);
}

}  // namespace
}  // namespace gasnet::observe
