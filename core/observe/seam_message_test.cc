// Tests of messages and handlers that are only counted (CountMessage,
// HandlerCount), on one thread.
#include <cstdint>

#include "core/observe/seam.h"
#include "core/observe/testing/observed_test.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

constexpr Call kRequest = Call::kAMRequestMedium;
constexpr Call kReply = Call::kAMReplyShort;
constexpr uint8_t kHandler = 200;

// Simulates a function that sends a message.
template <Call call, class Body = void (*)()>
void Send(Rank peer, size_t nbytes, Body body = &DoNothing) {
  const CallFacts facts = {.peer = peer, .nbytes = nbytes};
  if (IsObserved() && !CountMessage(call, facts)) {
    const CallScope scope(call, facts);
    return Send<call>(peer, nbytes, body);
  }
  body();
}

// Simulates the run of a handler. Returns true if it was only counted.
template <class Body = void (*)()>
bool Handle(size_t nbytes, Body body = &DoNothing) {
  HandlerCount count;
  const bool is_counted = count.Begin(kHandler, nbytes);
  if (!is_counted) {
    const HandlerObservation scope(1, kHandler, nbytes);
    body();
    return false;
  }
  body();
  count.End();
  return true;
}

void WaitShortly(WaitFor what) {
  ObservedWait wait;
  wait.Begin();
  PassTime();
  wait.End([=] { return Waiting{.what = what}; });
}
void WaitForRoom() { WaitShortly(WaitFor::kRoom); }

class SeamMessageTest : public ObservedTest {
 protected:
  // Sends and handles so many messages that the next ones are not timed.
  static void SendTheTimed() {
    for (uint64_t i = 0; i < kAllTimed; ++i) {
      Send<kRequest>(1, 0);
      Send<kReply>(1, 0);
      EXPECT_FALSE(Handle(0));
    }
  }
};

TEST_F(SeamMessageTest, EachMessageIsCountedWithItsBytesAndItsPeer) {
  constexpr uint64_t kMessages = 3 * kTimedEvery + 1;
  for (uint64_t i = 0; i < kMessages; ++i) Send<kRequest>(2, 10);
  Send<kRequest>(3, 0);
  EXPECT_EQ(Of(kRequest).calls, kMessages + 1);
  EXPECT_EQ(Of(kRequest).bytes, 10 * kMessages);
  EXPECT_EQ(Now().peers[2].operations, kMessages);
  EXPECT_EQ(Now().peers[2].bytes, 10 * kMessages);
  EXPECT_EQ(Now().peers[3].operations, 1u);
  EXPECT_EQ(Now().peers[3].bytes, 0u);
  EXPECT_EQ(Of(kRequest).times.timed, kAllTimed + 2);
  EXPECT_EQ(Of(kReply).calls, 0u);
}

TEST_F(SeamMessageTest, TimedOnesAndOthersNeedAScope) {
  const CallFacts facts = {.peer = 1};
  EXPECT_FALSE(CountMessage(kRequest, facts));  // the thread's first call
  SendTheTimed();
  EXPECT_TRUE(CountMessage(kRequest, facts));
  SetMask("P");
  EXPECT_FALSE(CountMessage(kRequest, facts));
  EXPECT_FALSE(Handle(0));
  SetMask("A");
  EXPECT_TRUE(CountMessage(kRequest, facts));
  EXPECT_TRUE(Handle(0));
  EXPECT_EQ(Of(kRequest).calls, kAllTimed + 2);
}

TEST_F(SeamMessageTest, ACallAfterAMessageIsObserved) {
  SendTheTimed();
  Send<kRequest>(1, 0);
  Function<Call::kPut>(2, 5);
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Of(Call::kPut).bytes, 5u);
}

TEST_F(SeamMessageTest, AWaitForRoomIsOneOfTheMessage) {
  SendTheTimed();
  Send<kRequest>(1, 0, &WaitForRoom);
  EXPECT_EQ(Of(kRequest).waits, 1u);
  EXPECT_EQ(Of(kRequest).waiting, OfWait(WaitFor::kRoom).sum);
  EXPECT_GE(Of(kRequest).times.most, Of(kRequest).waiting);
  EXPECT_EQ(Of(Call::kNone).waits, 0u);
}

TEST_F(SeamMessageTest, OtherWaitsAreNotOfTheMessageBefore) {
  SendTheTimed();
  Send<kRequest>(1, 0);
  WaitShortly(WaitFor::kCondition);
  EXPECT_EQ(Of(kRequest).waits, 0u);
  EXPECT_EQ(Of(Call::kNone).waits, 1u);
  Function<Call::kPut>(1, 1);
  WaitForRoom();
  EXPECT_EQ(Of(kRequest).waits, 0u);
  EXPECT_EQ(Of(Call::kPut).waits, 0u);
  EXPECT_EQ(Of(Call::kNone).waits, 2u);
}

// The library's progress functions send messages in GASNET_BLOCKUNTIL.
TEST_F(SeamMessageTest, AWaitForRoomInBlockUntilIsNotOfTheMessageBefore) {
  SendTheTimed();
  Send<kRequest>(1, 0);
  NoteConditionStep();
  WaitForRoom();
  EndCondition();
  EXPECT_EQ(Of(kRequest).waits, 0u);
  EXPECT_EQ(Of(Call::kNone).waits, 2u);
}

TEST_F(SeamMessageTest, HandlersAreCountedWithTheirBytes) {
  SendTheTimed();
  EXPECT_TRUE(Handle(30));
  EXPECT_TRUE(Handle(0));
  EXPECT_EQ(OfHandler(kHandler).runs, kAllTimed + 2);
  EXPECT_EQ(OfHandler(kHandler).bytes, 30u);
  EXPECT_EQ(OfHandler(kHandler).times.timed, kAllTimed);
}

TEST_F(SeamMessageTest, AHandlerInACallNeedsAnObservation) {
  SendTheTimed();
  bool is_counted = true;
  Function<Call::kAMPoll>(
      kNobody, 0, [&] { is_counted = Handle(0, [] { Send<kReply>(1, 0); }); });
  EXPECT_FALSE(is_counted);
  EXPECT_EQ(Of(kReply).calls, kAllTimed + 1);
}

// A request waits for room, and meanwhile runs a handler that replies.
TEST_F(SeamMessageTest, AHandlersReplyTakesNoWaitOfTheRequest) {
  SendTheTimed();
  Send<kRequest>(1, 0, [] {
    EXPECT_TRUE(Handle(0, [] { Send<kReply>(1, 0); }));
    WaitForRoom();
  });
  EXPECT_EQ(Of(kRequest).waits, 1u);
  EXPECT_EQ(Of(kReply).waits, 0u);
}
TEST_F(SeamMessageTest, AHandlersOwnWaitIsNotOneOfTheRequest) {
  SendTheTimed();
  Send<kRequest>(1, 0, [] { EXPECT_TRUE(Handle(0, &WaitForRoom)); });
  EXPECT_EQ(Of(kRequest).waits, 0u);
  EXPECT_EQ(Of(Call::kNone).waits, 1u);
  Send<kRequest>(1, 0, [] {
    EXPECT_TRUE(Handle(0, [] { Send<kReply>(1, 0, &WaitForRoom); }));
  });
  EXPECT_EQ(Of(kRequest).waits, 0u);
  EXPECT_EQ(Of(kReply).waits, 1u);
}

}  // namespace
}  // namespace gasnet::observe
