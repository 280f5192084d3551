// Tests of calls and handlers at the seam, on one thread.
#include "core/observe/seam.h"

#include <optional>

#include "core/observe/testing/observed_test.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

using SeamTest = ObservedTest;

constexpr uint8_t kHandler = 200;
constexpr uint8_t kOther = 201;

TEST_F(SeamTest, ACallIsCountedWithItsBytesAndItsPeer) {
  EXPECT_TRUE(IsOn());
  Function<Call::kPut>(2, 100);  // the thread's first call
  Function<Call::kPut>(2, 20);
  Function<Call::kGet>(3, 7);
  Function<Call::kBarrier>();
  EXPECT_EQ(Of(Call::kPut).calls, 2u);
  EXPECT_EQ(Of(Call::kPut).bytes, 120u);
  EXPECT_EQ(Of(Call::kGet).calls, 1u);
  EXPECT_EQ(Of(Call::kGet).bytes, 7u);
  EXPECT_EQ(Of(Call::kBarrier).calls, 1u);
  EXPECT_EQ(Of(Call::kNone).calls, 0u);
  EXPECT_EQ(Of(Call::kNone).waits, 0u);
  EXPECT_EQ(Now().peers[2].operations, 2u);
  EXPECT_EQ(Now().peers[2].bytes, 120u);
  EXPECT_EQ(Now().peers[3].operations, 1u);
  EXPECT_EQ(Now().peers[0].operations, 0u);
  EXPECT_EQ(Now().peers[1].operations, 0u);
  EXPECT_EQ(Now().threads, 1u);
}

TEST_F(SeamTest, ARefusedCallHasNoBytesAndNoPeer) {
  Function<Call::kGexRMAPutNB>(2, 100);
  {
    CallScope refused(Call::kGexRMAPutNB, {.peer = 3, .nbytes = 20});
    refused.NoteRefused();
  }
  Function<Call::kGexRMAPutNB>(2, 1);
  EXPECT_EQ(Of(Call::kGexRMAPutNB).calls, 3u);
  EXPECT_EQ(Of(Call::kGexRMAPutNB).refused, 1u);
  EXPECT_EQ(Of(Call::kGexRMAPutNB).bytes, 101u);
  EXPECT_EQ(Now().peers[2].operations, 2u);
  EXPECT_EQ(Now().peers[2].bytes, 101u);
  EXPECT_EQ(Now().peers[3].operations, 0u);
  EXPECT_EQ(Now().peers[3].bytes, 0u);
}

// Only the effect of the outer call is counted at its end.
TEST_F(SeamTest, ACallOfAHandlerLeavesTheOuterCallAsItWas) {
  {
    CallScope outer(Call::kGexAMRequestShort, {.peer = 1, .nbytes = 8});
    {
      const HandlerObservation scope(2, kHandler, 0);
      SetMask("^A");
      Function<Call::kGexAMReplyShort>(2, 0);
    }
    outer.NoteRefused();
  }
  EXPECT_EQ(Of(Call::kGexAMRequestShort).refused, 1u) << "counted at its start";
  EXPECT_EQ(Of(Call::kGexAMReplyShort).calls, 0u);
  EXPECT_EQ(Now().peers[1].operations, 0u);
}

TEST_F(SeamTest, APeerOutsideTheJobIsNotCounted) {
  Function<Call::kPut>(kRanks, 1);
  Function<Call::kPut>(kNobody - 1, 1);
  EXPECT_EQ(Of(Call::kPut).calls, 2u);
  for (const PeerTotal& peer : Now().peers) EXPECT_EQ(peer.operations, 0u);
}

TEST_F(SeamTest, TheBodyOfAFunctionRunsOnce) {
  int runs = 0;
  Function<Call::kPut>(0, 1, [&] { ++runs; });
  Function<Call::kPut>(0, 1, [&] { ++runs; });
  EXPECT_EQ(runs, 2);
}

TEST_F(SeamTest, CallsInsideACallAreNotCounted) {
  Function<Call::kCollBroadcast>(kNobody, 8, [] {
    EXPECT_FALSE(IsObserved());
    Function<Call::kPut>(1, 100);
    Function<Call::kCollBroadcast>(1, 100);
    EXPECT_FALSE(IsObserved());
  });
  EXPECT_TRUE(IsObserved());
  EXPECT_EQ(Of(Call::kPut).calls, 0u);
  EXPECT_EQ(Of(Call::kCollBroadcast).calls, 1u);
  EXPECT_EQ(Of(Call::kCollBroadcast).bytes, 8u);
  EXPECT_EQ(Now().peers[1].operations, 0u);
  Function<Call::kPut>(1, 3);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
}

TEST_F(SeamTest, CallsOfAHandlerInsideACallAreCounted) {
  Function<Call::kAMPoll>(kNobody, 0, [] {
    {
      const HandlerObservation scope(1, kHandler, 32);
      EXPECT_TRUE(IsObserved());
      Function<Call::kAMReplyShort>(1, 0, [] {
        EXPECT_FALSE(IsObserved());
        Function<Call::kPut>(1, 100);
      });
      Function<Call::kAMReplyMedium>(1, 5);
    }
    EXPECT_FALSE(IsObserved()) << "the outer call is not over";
    Function<Call::kGet>(1, 100);
  });
  EXPECT_TRUE(IsObserved());
  EXPECT_EQ(Of(Call::kAMPoll).calls, 1u);
  EXPECT_EQ(Of(Call::kAMReplyShort).calls, 1u);
  EXPECT_EQ(Of(Call::kAMReplyMedium).calls, 1u);
  EXPECT_EQ(Of(Call::kPut).calls, 0u);
  EXPECT_EQ(Of(Call::kGet).calls, 0u);
  EXPECT_EQ(OfHandler(kHandler).runs, 1u);
  EXPECT_EQ(OfHandler(kHandler).bytes, 32u);
  EXPECT_EQ(Now().peers[1].operations, 2u);
  EXPECT_EQ(Now().peers[1].bytes, 5u);
}

// A request to this rank itself runs its handler. The handler replies to this
// rank.
TEST_F(SeamTest, HandlersInsideCallsOfHandlersAreCounted) {
  Function<Call::kAMRequestShort>(0, 0, [] {
    const HandlerObservation request(0, kHandler, 0);
    Function<Call::kAMReplyMedium>(0, 9, [] {
      {
        const HandlerObservation reply(0, kOther, 9);
        EXPECT_TRUE(IsObserved());
      }
      EXPECT_FALSE(IsObserved());
    });
    EXPECT_TRUE(IsObserved());
  });
  EXPECT_EQ(Of(Call::kAMRequestShort).calls, 1u);
  EXPECT_EQ(Of(Call::kAMReplyMedium).calls, 1u);
  EXPECT_EQ(OfHandler(kHandler).runs, 1u);
  EXPECT_EQ(OfHandler(kOther).runs, 1u);
  EXPECT_EQ(OfHandler(kOther).bytes, 9u);
}

// A thread of the library runs handlers and makes no calls.
TEST_F(SeamTest, AThreadMayBeginWithAHandler) {
  {
    const HandlerObservation scope(1, kHandler, 1);
    Function<Call::kAMReplyShort>(1, 0);
  }
  EXPECT_EQ(OfHandler(kHandler).runs, 1u);
  EXPECT_EQ(Of(Call::kAMReplyShort).calls, 1u);
  Function<Call::kPut>(1, 1);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Now().threads, 1u);
}

TEST_F(SeamTest, TheFirst64CallsAreTimedAndThenOneOf64) {
  for (int i = 0; i < 64; ++i) Function<Call::kPut>(1, 1, &AwaitTick);
  EXPECT_EQ(Of(Call::kPut).times.timed, 64u);
  for (int i = 64; i < 127; ++i) Function<Call::kPut>(1, 1, &AwaitTick);
  EXPECT_EQ(Of(Call::kPut).times.timed, 64u);
  Function<Call::kPut>(1, 1, &AwaitTick);
  EXPECT_EQ(Of(Call::kPut).times.timed, 65u);
  const CallTotal& puts = Of(Call::kPut);
  EXPECT_EQ(puts.calls, 128u);
  EXPECT_EQ(puts.bytes, 128u);
  EXPECT_GT(puts.times.least, 0u);
  EXPECT_LE(puts.times.least * puts.calls, puts.time());
  EXPECT_LE(puts.time(), puts.times.most * puts.calls);
  EXPECT_EQ(puts.waiting, 0u);
}

TEST_F(SeamTest, HandlersAreTimedInTheSameWay) {
  for (int i = 0; i < 128; ++i) {
    const HandlerObservation scope(1, kHandler, 2);
    AwaitTick();
  }
  const HandlerTotal& runs = OfHandler(kHandler);
  EXPECT_EQ(runs.runs, 128u);
  EXPECT_EQ(runs.bytes, 256u);
  EXPECT_EQ(runs.times.timed, 65u);
  EXPECT_GT(runs.times.least, 0u);
  EXPECT_LE(runs.times.least * runs.runs, runs.times.sum);
  EXPECT_LE(runs.times.sum, runs.times.most * runs.runs);
}

TEST_F(SeamTest, CallsOfDifferentKindsAreNumberedEachForItself) {
  for (int i = 0; i < 100; ++i) Function<Call::kPut>(1, 1);
  Function<Call::kGet>(1, 1);
  EXPECT_EQ(Of(Call::kGet).times.timed, 1u);
}

TEST_F(SeamTest, TheTimeOfACallIsThatOfItsBody) {
  const int64_t before = NowNanos();
  Function<Call::kPut>(1, 1, [] { PassTime(); });
  const auto after = static_cast<uint64_t>(NowNanos() - before);
  EXPECT_GE(Of(Call::kPut).times.sum, uint64_t{kNanosPerMilli});
  EXPECT_LE(Of(Call::kPut).times.sum, after);
  EXPECT_EQ(Of(Call::kPut).times.least, Of(Call::kPut).times.sum);
  EXPECT_EQ(Of(Call::kPut).times.most, Of(Call::kPut).times.sum);
}

TEST_F(SeamTest, CallsOfMaskedGroupsAreNotCounted) {
  SetMask("^P");
  Function<Call::kPut>(1, 10);
  Function<Call::kGet>(1, 5);
  EXPECT_EQ(Of(Call::kPut).calls, 0u);
  EXPECT_EQ(Of(Call::kPut).bytes, 0u);
  EXPECT_EQ(Of(Call::kPut).times.timed, 0u);
  EXPECT_EQ(Of(Call::kGet).calls, 1u);
  EXPECT_EQ(Now().peers[1].operations, 1u);
  EXPECT_EQ(Now().peers[1].bytes, 5u);
  SetMask("P");
  Function<Call::kPut>(1, 10);
  Function<Call::kGet>(1, 5);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Of(Call::kGet).calls, 1u);
}

TEST_F(SeamTest, CallsInsideAMaskedCallAreNotCountedEither) {
  SetMask("^B");
  Function<Call::kBarrier>(kNobody, 0, [] { Function<Call::kPut>(1, 1); });
  EXPECT_EQ(Of(Call::kPut).calls, 0u);
  Function<Call::kPut>(1, 1);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
}

TEST_F(SeamTest, NothingIsCountedIfAllGroupsAreMasked) {
  SetMask("");
  Function<Call::kAMPoll>(kNobody, 0, [] {
    {
      const HandlerObservation scope(1, kHandler, 8);
      Function<Call::kAMReplyShort>(1, 0);
    }
    ObservedWait wait;
    wait.Begin();
    wait.End([] { return Waiting{.what = WaitFor::kRoom}; });
  });
  ObservedWait outside;
  outside.Begin();
  outside.End([] { return Waiting{.what = WaitFor::kAllRanks}; });
  for (const CallTotal& call : Now().calls) {
    EXPECT_EQ(call.calls, 0u);
    EXPECT_EQ(call.waits, 0u);
    EXPECT_EQ(call.times.most, 0u);
  }
  for (const HandlerTotal& handler : Now().handlers) {
    EXPECT_EQ(handler.runs, 0u);
    EXPECT_EQ(handler.bytes, 0u);
  }
  for (const TotalTimes& wait : Now().waits) EXPECT_EQ(wait.timed, 0u);
  for (const PeerTotal& peer : Now().peers) EXPECT_EQ(peer.operations, 0u);
}

TEST_F(SeamTest, HandlersBelongToTheGroupOfMessages) {
  SetMask("^A");
  { const HandlerObservation scope(1, kHandler, 8); }
  EXPECT_EQ(OfHandler(kHandler).runs, 0u);
  SetMask("A");
  { const HandlerObservation scope(1, kHandler, 8); }
  EXPECT_EQ(OfHandler(kHandler).runs, 1u);
}

TEST_F(SeamTest, MessagesOfTheLibraryAreCountedByTheirHandlers) {
  NoteSent(5, 1, 100);
  NoteSent(5, 2, 20);
  NoteSent(6, 1, 0);
  EXPECT_EQ(OfHandler(5).sent, 2u);
  EXPECT_EQ(OfHandler(5).sent_bytes, 120u);
  EXPECT_EQ(OfHandler(5).runs, 0u);
  EXPECT_EQ(OfHandler(6).sent, 1u);
  EXPECT_EQ(Now().peers[1].operations, 0u) << "peers are those of calls";
  SetMask("^A");
  NoteSent(5, 1, 100);
  EXPECT_EQ(OfHandler(5).sent, 2u);
  SetObserver(nullptr);
  NoteSent(5, 1, 100);
  EXPECT_EQ(OfHandler(5).sent, 2u);
}

// The client may change the mask in a handler.
TEST_F(SeamTest, ACallThatHasBegunIsTimedToItsEnd) {
  Function<Call::kPut>(1, 1, [&] { SetMask(""); });
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Of(Call::kPut).times.timed, 1u);
  Function<Call::kPut>(1, 1, [&] { SetMask("P"); });
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Of(Call::kPut).times.timed, 1u);
}

TEST_F(SeamTest, NothingIsCountedWithoutAnObserver) {
  Function<Call::kPut>(1, 1);
  SetObserver(nullptr);
  EXPECT_FALSE(IsOn());
  Function<Call::kPut>(1, 1);
  EXPECT_FALSE(IsObserved()) << "known once it has called";
  Function<Call::kPut>(1, 1);
  ObservedWait wait;
  wait.Begin();
  wait.End([] { return Waiting{}; });
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(OfWait(WaitFor::kAnything).timed, 0u);
}

TEST_F(SeamTest, ALaterObserverCountsFromZero) {
  Function<Call::kPut>(1, 1);
  End();
  Function<Call::kPut>(1, 1);
  Start();
  EXPECT_EQ(observer_->newest(), nullptr);
  Function<Call::kPut>(2, 3);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Of(Call::kPut).bytes, 3u);
  EXPECT_EQ(Now().threads, 1u);
}

// Two observers have ended before, and neither has seen a call of this thread.
TEST_F(SeamTest, ACallBetweenTwoObserversIsForgotten) {
  End();
  Start();
  End();
  Start();
  Function<Call::kPut>(2, 3);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
}

}  // namespace
}  // namespace gasnet::observe
