// Tests the engine and its waits over a link that the test controls.
#include "core/am/engine.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/am/cpu_board.h"
#include "core/am/testing/fake_kernel.h"
#include "core/am/testing/scripted_link.h"
#include "core/am/wait.h"
#include "core/thread/mode.h"
#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

// The engine is not on the stack, because the address sanitizer does not align
// the stack enough for it.
class EngineTest : public testing::Test {
 protected:
  EngineTest() { FakeKernel::Reset(); }
  ScriptedLink link_;
  Progress progress_;
  Engine<ScriptedLink, FakeKernel> engine_{link_, progress_};
};

TEST_F(EngineTest, RequestServesTheNetworkOnce) {
  engine_.Request(7, {});
  EXPECT_EQ(link_.calls, "Ps");
  EXPECT_EQ(link_.last_peer, 7u);
  EXPECT_EQ(link_.last_lane, Lane::kRequest);
}

TEST_F(EngineTest, RequestServesEverythingWhileThereIsNoRoom) {
  link_.busy_sends = 4;
  engine_.Request(7, {});
  EXPECT_EQ(link_.calls, "PssPsPsPs");
  EXPECT_EQ(link_.busy_sends, 0u);
}

// A link that can tell whether messages have arrived.
class KnowingLink : public ScriptedLink {
 public:
  bool HasMessages() const { return waiting; }
  bool waiting = false;
};

TEST(RequestWithoutPollTest, RequestServesTheNetworkOnceWhereMessagesWait) {
  KnowingLink link;
  Progress progress;
  const auto made =
      std::make_unique<Engine<KnowingLink, FakeKernel>>(link, progress);
  auto& engine = *made;
  engine.Request(7, {});
  EXPECT_EQ(link.calls, "s");
  link.calls.clear();
  link.waiting = true;
  engine.Request(7, {});
  EXPECT_EQ(link.calls, "Ps");
}

TEST(RequestWithoutPollTest, RequestServesEverythingWhileThereIsNoRoom) {
  KnowingLink link;
  Progress progress;
  const auto made =
      std::make_unique<Engine<KnowingLink, FakeKernel>>(link, progress);
  auto& engine = *made;
  for (const bool waiting : {false, true}) {
    link.calls.clear();
    link.waiting = waiting;
    link.busy_sends = 3;
    engine.Request(7, {});
    EXPECT_EQ(link.calls, waiting ? "PssPsPs" : "ssPsPs");
  }
}

TEST_F(EngineTest, ReplyServesRepliesOnly) {
  Token token{5, true, false, 0, nullptr, nullptr, 0, {}};
  engine_.Reply(token, {});
  EXPECT_EQ(link_.calls, "s");
  EXPECT_TRUE(token.replied);
  link_.calls.clear();
  link_.busy_sends = 3;
  engine_.Reply(token, {});
  EXPECT_EQ(link_.calls, "ssRsRs");
  EXPECT_EQ(link_.last_peer, 5u);
  EXPECT_EQ(link_.last_lane, Lane::kReply);
}

// A link that sends each Long in two steps. The first step needs room.
class SteppingLink : public ScriptedLink {
 public:
  static constexpr bool kSendsInSteps = true;

  Post Send(Rank peer, Lane lane, const Message& message) {
    if (message.category != Category::kLong) {
      return ScriptedLink::Send(peer, lane, message);
    }
    if (message.send_state == nullptr) return Post::kRetry;
    if (ScriptedLink::Send(peer, lane, message) != Post::kDone) {
      return Post::kRetry;
    }
    if (message.send_state->HasBegun()) return Post::kDone;
    message.send_state->held = this;
    return Post::kRetry;
  }
};

TEST(TryTest, OneAttemptAndNoService) {
  SteppingLink link;
  Progress progress;
  const auto made =
      std::make_unique<Engine<SteppingLink, FakeKernel>>(link, progress);
  auto& engine = *made;
  link.busy_sends = 1;
  EXPECT_FALSE(engine.TryRequest(7, {}));
  EXPECT_TRUE(engine.TryRequest(7, {}));
  EXPECT_EQ(link.calls, "ss");
}

TEST(TryTest, AMessageInStepsThatHasBegunIsSentToItsEnd) {
  SteppingLink link;
  Progress progress;
  const auto made =
      std::make_unique<Engine<SteppingLink, FakeKernel>>(link, progress);
  auto& engine = *made;
  const Message message = {.category = Category::kLong, .nbytes = 8};
  link.busy_sends = 1;
  EXPECT_FALSE(engine.TryRequest(7, message));
  EXPECT_EQ(link.calls, "s");
  EXPECT_TRUE(engine.TryRequest(7, message));
  EXPECT_EQ(link.calls, "ssPs");
  link.calls.clear();
  Token token{5, true, false, 0, nullptr, nullptr, 0, {}};
  link.busy_sends = 1;
  EXPECT_FALSE(engine.TryReply(token, message));
  EXPECT_FALSE(token.replied);
  EXPECT_TRUE(engine.TryReply(token, message));
  EXPECT_EQ(link.calls, "ssRs");
  EXPECT_TRUE(token.replied);
}

TEST(TryTest, ASendStateOfTheCallersTakesOneStep) {
  SteppingLink link;
  Progress progress;
  const auto made =
      std::make_unique<Engine<SteppingLink, FakeKernel>>(link, progress);
  auto& engine = *made;
  SendState send_state;
  const Message message = {
      .category = Category::kLong, .nbytes = 8, .send_state = &send_state};
  EXPECT_FALSE(engine.TryRequest(7, message));
  EXPECT_TRUE(send_state.HasBegun());
  EXPECT_TRUE(engine.TryRequest(7, message));
  EXPECT_EQ(link.calls, "ss");
}

TEST_F(EngineTest, SleepsOnlyAfterLookingOnceMore) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  int looks = 0;
  engine_.WaitUntil([&] {
    link_.calls += '?';
    return ++looks == 5;
  });
  // Expected sequence: arm (A), serve (P), look (?), sleep (Z), disarm (D), and
  // again.
  EXPECT_EQ(link_.calls, "?P?AP?ZDP?AP?D");
}

TEST_F(EngineTest, DisarmsWhenTheLastLookFindsIt) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  int looks = 0;
  engine_.WaitUntil([&] { return ++looks == 3; });
  EXPECT_EQ(link_.calls, "PAPD");
}

TEST_F(EngineTest, DisarmsWhenAPollFindsAMessage) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  int polls = 0;
  link_.on_poll = [&] { return ++polls == 2 ? 1u : 0u; };
  int looks = 0;
  engine_.WaitUntil([&] { return ++looks == 4; });
  EXPECT_EQ(link_.calls, "PAPDP");
}

TEST_F(EngineTest, ServesOnceAndDoesNotSleepWhenDoneAlready) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  engine_.WaitUntil([] { return true; });
  EXPECT_EQ(link_.calls, "P");
}

// A link that has a cheaper poll for a wait whose condition already holds.
class BriskLink : public ScriptedLink {
 public:
  void PollInPassing(Dispatcher&) { calls += 'g'; }
};

TEST(PollInPassingTest, WhenDoneAlreadyOnly) {
  BriskLink link;
  Progress progress;
  const auto made = std::make_unique<Engine<BriskLink>>(link, progress);
  auto& engine = *made;
  engine.WaitUntil([] { return true; });
  EXPECT_EQ(link.calls, "g");
  link.calls.clear();
  int looks = 0;
  engine.WaitUntil([&] { return ++looks == 2; });
  EXPECT_EQ(link.calls, "P");
}

TEST_F(EngineTest, EndWaitDisarms) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  Wait wait;
  engine_.WaitStep(wait);
  engine_.WaitStep(wait);
  engine_.EndWait(wait);
  EXPECT_EQ(link_.calls, "PAPD");
  engine_.EndWait(wait);
  EXPECT_EQ(link_.calls, "PAPD") << "nothing is armed any more";
}

TEST_F(EngineTest, PollOrYieldAnswersWhatWasHandled) {
  link_.on_poll = [] { return 3u; };
  EXPECT_EQ(engine_.PollOrYield(), 3u);
  engine_.SetWaitMode(WaitMode::kSpinBlock, true);
  link_.on_poll = nullptr;
  EXPECT_EQ(engine_.PollOrYield(), 0u);
}

// A link that records each poll of a spinning thread as "p".
class PollAgainLink : public ScriptedLink {
 public:
  unsigned PollAgain(Lanes, Dispatcher&) {
    calls += 'p';
    return on_poll ? on_poll() : 0;
  }
};

class PollAgainTest : public testing::Test {
 protected:
  // Waits until the link has been polled `polls` times.
  void WaitFor(size_t polls) {
    engine_.WaitUntil([&, looks = size_t{0}]() mutable {
      link_.calls += looks++ == 0 ? "" : ".";
      return looks > polls;
    });
  }
  PollAgainTest() { FakeKernel::Reset(); }
  PollAgainLink link_;
  Progress progress_;
  Engine<PollAgainLink, FakeKernel> engine_{link_, progress_};
};

TEST_F(PollAgainTest, AfterASpinOnly) {
  engine_.SetWaitMode(WaitMode::kSpin, false);
  WaitFor(4);
  EXPECT_EQ(link_.calls, "P.p.p.p.");
  link_.calls.clear();
  link_.on_poll = [&] { return link_.calls == "P.p" ? 1u : 0u; };
  WaitFor(5);
  EXPECT_EQ(link_.calls, "P.p.P.p.p.") << "a handler has run";
}

TEST_F(PollAgainTest, NotAfterYieldingOrSleeping) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  WaitFor(3);
  EXPECT_EQ(link_.calls, "P.AP.ZDP.");
  link_.calls.clear();
  engine_.SetWaitMode(WaitMode::kSpinBlock, true);
  WaitFor(3);
  EXPECT_EQ(link_.calls, "P.P.p.") << "others have run after the first";
}

TEST_F(PollAgainTest, NotAfterAYieldBetweenSpins) {
  engine_.SetWaitMode(WaitMode::kSpinBlock, false);
  FakeKernel::now_step = 2 * kSpinFor;
  // The clock is read after the first kLooksPerClock looks, and again when the
  // spin is over.
  WaitFor(2 * kLooksPerClock + 2);
  EXPECT_EQ(FakeKernel::yields, 1);
  EXPECT_TRUE(link_.calls.ends_with("p.P.p.")) << link_.calls;
}

// Uses the lines of two ranks. The first line is this rank's.
TEST_F(EngineTest, PublishesWhereItWaits) {
  std::array<CpuBoard::Line, 2> lines{};
  engine_.cpu_board().Join(lines, 0);
  FakeKernel::cpu = 6;
  Wait wait;
  engine_.WaitStep(wait);
  EXPECT_EQ(lines[0].cpu_and_one, thread::kManyThreads ? 0u : 7u);
  EXPECT_EQ(lines[1].cpu_and_one, 0u);
  FakeKernel::cpu = 3;
  engine_.WaitStep(wait);
  EXPECT_NE(lines[0].cpu_and_one, 4u) << "once is enough";
  engine_.EndWait(wait);
}

TEST_F(EngineTest, LimitsAreTheLinks) {
  EXPECT_EQ(engine_.MaxMedium(), 512u);
  EXPECT_EQ(engine_.MaxLong(Lane::kReply), 1u);
  EXPECT_EQ(engine_.MaxLong(Lane::kRequest), 2u);
}

TEST(HandlerTableTest, AcceptsEachClientIndexOnce) {
  HandlerTable table;
  const AnyHandler handler = [] {};
  for (unsigned index = 0; index < kHandlers; ++index) {
    const auto i = static_cast<uint8_t>(index);
    EXPECT_FALSE(table.RegisterClient(i, nullptr));
    EXPECT_EQ(table.RegisterClient(i, handler), index >= kFirstClientHandler);
    EXPECT_FALSE(table.RegisterClient(i, handler)) << "taken or reserved";
    EXPECT_EQ(table.Find(i), index >= kFirstClientHandler ? handler : nullptr);
  }
}

TEST(DispatcherDeathTest, UnregisteredHandlerIsNamed) {
  Dispatcher dispatcher;
  EXPECT_DEATH(dispatcher.Deliver({.source = 9, .handler = 200}),
               "no handler is registered at index 200.*Short request.*rank 9.*"
               "gasnet_attach");
  EXPECT_DEATH(
      dispatcher.Deliver({.source = 9,
                          .lane = Lane::kReply,
                          .category = Category::kLong,
                          .handler = 100}),
      "no handler is registered at index 100.*Long reply.*rank 9.*reserved");
}

int internal_calls = 0;
void TakeShort(void*, int32_t, int32_t) { ++internal_calls; }
void TakeMedium(void*, void*, size_t, int32_t) { ++internal_calls; }

// A rank may send a message with too few arguments. One of GASNet's own
// handlers must not read the missing arguments.
TEST(DispatcherDeathTest, InternalHandlersGetWhatTheyTakeAlone) {
  Dispatcher dispatcher;
  dispatcher.handlers().RegisterInternal(5, Lane::kRequest, &TakeShort);
  dispatcher.handlers().RegisterInternal(6, Lane::kReply, Category::kMedium,
                                         &TakeMedium);
  const int32_t args[kMaxArgs] = {};
  const auto deliver = [&](uint8_t handler, Lane lane, Category category,
                           uint8_t num_args) {
    unsigned char payload[1] = {};
    dispatcher.Deliver({.source = 9,
                        .lane = lane,
                        .category = category,
                        .handler = handler,
                        .num_args = num_args,
                        .args = args,
                        .payload = payload});
  };
  internal_calls = 0;
  deliver(5, Lane::kRequest, Category::kShort, 2);
  deliver(6, Lane::kReply, Category::kMedium, 1);
  EXPECT_EQ(internal_calls, 2);
  EXPECT_DEATH(deliver(5, Lane::kRequest, Category::kShort, 1),
               "rank 9 sent a Short request with 1 arguments to GASNet's own "
               "handler 5, which takes a Short request with 2");
  EXPECT_DEATH(deliver(5, Lane::kRequest, Category::kShort, 3), "handler 5");
  EXPECT_DEATH(deliver(5, Lane::kReply, Category::kShort, 2), "handler 5");
  EXPECT_DEATH(deliver(5, Lane::kRequest, Category::kMedium, 2), "handler 5");
  EXPECT_DEATH(deliver(6, Lane::kReply, Category::kLong, 1),
               "a Long reply with 1 .*handler 6, which takes a Medium reply");
  EXPECT_DEATH(deliver(6, Lane::kReply, Category::kShort, 1), "handler 6");
}

}  // namespace
}  // namespace gasnet::am
