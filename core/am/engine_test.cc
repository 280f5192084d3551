// The engine and its waits, over a link that does what the test says.
#include "core/am/engine.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/am/wait.h"
#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

// Keeps a record of all calls: s send, P poll of everything, R poll of
// replies, A arm, Z sleep, D disarm, W wake own.
class FakeLink {
 public:
  Post Send(Rank peer, Lane lane, const Message&) {
    calls += 's';
    last_peer = peer;
    last_lane = lane;
    if (busy_sends == 0) return Post::kDone;
    --busy_sends;
    return Post::kRetry;
  }
  unsigned Poll(Lanes lanes, Dispatcher&) {
    calls += lanes == Lanes::kAll ? 'P' : 'R';
    return on_poll ? on_poll() : 0;
  }
  size_t MaxMedium() const { return 512; }
  size_t MaxLong(Lane lane) const { return lane == Lane::kReply ? 1 : 2; }
  uint32_t Arm() {
    calls += 'A';
    return ++epoch;
  }
  void Sleep(uint32_t armed_epoch) {
    calls += 'Z';
    EXPECT_EQ(armed_epoch, epoch);
  }
  void Disarm() { calls += 'D'; }
  void WakeOwn() { calls += 'W'; }

  std::string calls;
  unsigned busy_sends = 0;
  std::function<unsigned()> on_poll;
  Rank last_peer = 0;
  Lane last_lane = Lane::kRequest;
  uint32_t epoch = 0;
};
static_assert(Link<FakeLink>);

class EngineTest : public testing::Test {
 protected:
  FakeLink link_;
  Engine<FakeLink> engine_{link_};
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

// A link that can tell whether messages wait.
class KnowingLink : public FakeLink {
 public:
  bool HasMessages() const { return waiting; }
  bool waiting = false;
};

TEST(RequestWithoutPollTest, RequestServesTheNetworkOnceWhereMessagesWait) {
  KnowingLink link;
  Engine<KnowingLink> engine(link);
  engine.Request(7, {});
  EXPECT_EQ(link.calls, "s");
  link.calls.clear();
  link.waiting = true;
  engine.Request(7, {});
  EXPECT_EQ(link.calls, "Ps");
}

TEST(RequestWithoutPollTest, RequestServesEverythingWhileThereIsNoRoom) {
  KnowingLink link;
  Engine<KnowingLink> engine(link);
  for (const bool waiting : {false, true}) {
    link.calls.clear();
    link.waiting = waiting;
    link.busy_sends = 3;
    engine.Request(7, {});
    EXPECT_EQ(link.calls, waiting ? "PssPsPs" : "ssPsPs");
  }
}

TEST_F(EngineTest, ReplyServesRepliesOnly) {
  Token token{5, true, false};
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

TEST_F(EngineTest, SleepsOnlyAfterLookingOnceMore) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  int looks = 0;
  engine_.WaitUntil([&] {
    link_.calls += '?';
    return ++looks == 5;
  });
  // Arm, look, sleep, disarm; and again.
  EXPECT_EQ(link_.calls, "?PA?PZD?PA?PZD?");
}

TEST_F(EngineTest, DisarmsWhenTheLastLookFindsIt) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  int looks = 0;
  engine_.WaitUntil([&] { return ++looks == 2; });
  EXPECT_EQ(link_.calls, "PAD");
}

TEST_F(EngineTest, DisarmsWhenAPollFindsAMessage) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  int polls = 0;
  link_.on_poll = [&] { return ++polls == 2 ? 1u : 0u; };
  int looks = 0;
  engine_.WaitUntil([&] { return ++looks == 3; });
  EXPECT_EQ(link_.calls, "PAPD");
}

TEST_F(EngineTest, ServesOnceAndDoesNotSleepWhenDoneAlready) {
  engine_.SetWaitMode(WaitMode::kBlock, false);
  engine_.WaitUntil([] { return true; });
  EXPECT_EQ(link_.calls, "P");
}

// A link that has something cheaper for a wait that need not wait.
class BriskLink : public FakeLink {
 public:
  void PollInPassing(Dispatcher&) { calls += 'g'; }
};

TEST(PollInPassingTest, WhenDoneAlreadyOnly) {
  BriskLink link;
  Engine<BriskLink> engine(link);
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
  engine_.EndWait(wait);
  EXPECT_EQ(link_.calls, "PAD");
  engine_.EndWait(wait);
  EXPECT_EQ(link_.calls, "PAD") << "nothing is armed any more";
}

TEST_F(EngineTest, PollOrYieldAnswersWhatWasHandled) {
  link_.on_poll = [] { return 3u; };
  EXPECT_EQ(engine_.PollOrYield(), 3u);
  engine_.SetWaitMode(WaitMode::kSpinBlock, true);
  link_.on_poll = nullptr;
  EXPECT_EQ(engine_.PollOrYield(), 0u);
}

// A link that tells the polls of a thread that spins: p.
class TellingLink : public FakeLink {
 public:
  unsigned PollAgain(Lanes, Dispatcher&) {
    calls += 'p';
    return on_poll ? on_poll() : 0;
  }
};

class PollAgainTest : public testing::Test {
 protected:
  // So many polls.
  void WaitFor(size_t polls) {
    engine_.WaitUntil([&, looks = size_t{0}]() mutable {
      link_.calls += looks++ == 0 ? "" : ".";
      return looks > polls;
    });
  }
  TellingLink link_;
  Engine<TellingLink> engine_{link_};
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
  EXPECT_EQ(link_.calls, "PA.PZD.PA.D");
  link_.calls.clear();
  engine_.SetWaitMode(WaitMode::kSpinBlock, true);
  WaitFor(3);
  EXPECT_EQ(link_.calls, "P.P.P.") << "others have run meanwhile";
}

TEST_F(PollAgainTest, UntilTheSpinsAreOver) {
  engine_.SetWaitMode(WaitMode::kSpinBlock, false);
  const uint32_t spins = BudgetFor(WaitMode::kSpinBlock, false).spins;
  WaitFor(spins + 3);
  EXPECT_EQ(std::count(link_.calls.begin(), link_.calls.end(), 'p'), spins);
  EXPECT_TRUE(link_.calls.ends_with("p.P.P."));
}

TEST_F(EngineTest, LimitsAreTheLinks) {
  EXPECT_EQ(engine_.MaxMedium(), 512u);
  EXPECT_EQ(engine_.MaxLong(Lane::kReply), 1u);
  EXPECT_EQ(engine_.MaxLong(Lane::kRequest), 2u);
}

// Idle steps before the link is armed; `most` when it is not by then.
uint32_t StepsBeforeArm(WaitBudget budget, uint32_t most) {
  FakeLink link;
  Wait wait;
  for (uint32_t step = 0; step < most; ++step) {
    wait.Idle(link, budget);
    if (!link.calls.empty()) return step;
  }
  return most;
}

TEST(WaitTest, EveryStageLastsItsBudget) {
  for (const uint32_t spins : {0u, 1u, 20u}) {
    for (const uint32_t yields : {0u, 1u, 50u}) {
      EXPECT_EQ(StepsBeforeArm({spins, yields}, 1000), spins + yields);
    }
  }
}

TEST(WaitTest, ModesDecideTheBudget) {
  for (const bool oversubscribed : {false, true}) {
    const auto steps = [&](WaitMode mode) {
      return StepsBeforeArm(BudgetFor(mode, oversubscribed), 100'000);
    };
    EXPECT_EQ(steps(WaitMode::kSpin), 100'000u) << "never sleeps";
    EXPECT_EQ(steps(WaitMode::kBlock), 0u) << "sleeps at once";
    EXPECT_GT(steps(WaitMode::kSpinBlock), 0u);
    EXPECT_LT(steps(WaitMode::kSpinBlock), 100'000u);
  }
  EXPECT_LT(BudgetFor(WaitMode::kSpinBlock, true).spins,
            BudgetFor(WaitMode::kSpinBlock, false).spins);
}

TEST(WaitTest, StartsOverAfterProgress) {
  FakeLink link;
  Wait wait;
  const WaitBudget budget{2, 2};
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) wait.Idle(link, budget);
    wait.Progress(link);
  }
  EXPECT_EQ(link.calls, "");
  for (int i = 0; i < 6; ++i) wait.Idle(link, budget);
  EXPECT_EQ(link.calls, "AZD");
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

// Whoever sends such a message, another handler of our own must not read what
// is not there.
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
