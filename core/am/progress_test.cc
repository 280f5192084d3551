// Tests progress functions alone, and run by the engine.
#include "core/am/progress.h"

#include <memory>
#include <string>

#include "core/am/engine.h"
#include "core/am/testing/fake_kernel.h"
#include "core/am/testing/scripted_link.h"
#include "core/am/wait.h"
#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

void Append(void* calls) { *static_cast<std::string*>(calls) += 'F'; }

TEST(ProgressTest, RunsWhatIsActiveInTheirOrder) {
  Progress progress;
  std::string a, b;
  const Progress::Id first = progress.Add(&Append, &a);
  const Progress::Id second = progress.Add(&Append, &b);
  progress.Run();
  EXPECT_EQ(a + b, "");
  progress.Activate(second);
  progress.Run();
  EXPECT_EQ(a, "");
  EXPECT_EQ(b, "F");
  progress.Activate(first);
  progress.Activate(first);
  progress.Run();
  EXPECT_EQ(a, "F");
  EXPECT_EQ(b, "FF");
  progress.Deactivate(second);
  progress.Run();
  EXPECT_EQ(a, "FF");
  EXPECT_EQ(b, "FF");
}

TEST(ProgressDeathTest, ThereAreNotThatMany) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Progress progress;
        for (int i = 0; i < 9; ++i) progress.Add(&Append, nullptr);
      },
      "internal error: more than 8 progress functions");
}

// The link and the progress function write to the same record of calls.
class ProgressInEngineTest : public testing::Test {
 protected:
  ProgressInEngineTest() {
    FakeKernel::Reset();
    engine_.progress().Activate(engine_.progress().Add(&Append, &link_.calls));
    engine_.SetWaitMode(WaitMode::kBlock, false);
  }
  // Runs another function in place of the one that records calls.
  void Replace(Progress::Function function, void* context) {
    engine_.progress().Deactivate(0);
    engine_.progress().Activate(engine_.progress().Add(function, context));
  }

  ScriptedLink link_;
  Progress progress_;
  Engine<ScriptedLink, FakeKernel> engine_{link_, progress_};
};

TEST_F(ProgressInEngineTest, BetweenServingAndLooking) {
  int looks = 0;
  engine_.WaitUntil([&] {
    link_.calls += '?';
    return ++looks == 4;
  });
  EXPECT_EQ(link_.calls, "?PF?APF?ZDPF?");
}

TEST_F(ProgressInEngineTest, WhatItCompletesIsSeenBeforeASleep) {
  bool done = false;
  Replace(
      [](void* flag) {
        static int runs = 0;
        *static_cast<bool*>(flag) = ++runs == 2;
      },
      &done);
  engine_.WaitUntil([&] { return done; });
  EXPECT_EQ(link_.calls, "PAPD");
}

TEST_F(ProgressInEngineTest, InWaitsThatNeedNotWait) {
  engine_.WaitUntil([] { return true; });
  EXPECT_EQ(link_.calls, "PF");
}

TEST_F(ProgressInEngineTest, InStepsOfAClientsWait) {
  Wait wait;
  for (int step = 0; step < 3; ++step) {
    engine_.WaitStep(wait);
    link_.calls += '?';
  }
  engine_.EndWait(wait);
  EXPECT_EQ(link_.calls, "PF?APF?ZDPF?");
}

// A poll may change the condition without handling a message: it may make room
// for a transfer, or complete one. So a client looks before it sleeps.
TEST_F(ProgressInEngineTest, AClientLooksBetweenServiceAndSleep) {
  int polls = 0;
  link_.on_poll = [&] {
    ++polls;
    return 0u;
  };
  Wait wait;
  while (polls < 2) engine_.WaitStep(wait);
  engine_.EndWait(wait);
  EXPECT_EQ(link_.calls, "PFAPFD") << "nothing slept";
}

TEST_F(ProgressInEngineTest, InTheClientsPolls) {
  engine_.PollOrYield();
  EXPECT_EQ(link_.calls, "PF");
}

TEST_F(ProgressInEngineTest, NotInThePollOfARequestButWhileItHasNoRoom) {
  engine_.SetWaitMode(WaitMode::kSpin, false);
  engine_.Request(7, {});
  EXPECT_EQ(link_.calls, "Ps");
  link_.calls.clear();
  link_.busy_sends = 3;
  engine_.Request(7, {});
  EXPECT_EQ(link_.calls, "PssPFsPFs");
}

TEST_F(ProgressInEngineTest, NotWhileAReplyHasNoRoom) {
  engine_.SetWaitMode(WaitMode::kSpin, false);
  Token token{5, true, false, 0, nullptr, nullptr, 0, {}};
  link_.busy_sends = 3;
  engine_.Reply(token, {});
  EXPECT_EQ(link_.calls, "ssRsRs");
}

TEST_F(ProgressInEngineTest, NotWithinItself) {
  engine_.SetWaitMode(WaitMode::kSpin, false);
  struct Sender {
    ScriptedLink& link;
    Engine<ScriptedLink, FakeKernel>& engine;
  } sender{link_, engine_};
  Replace(
      [](void* context) {
        Sender& self = *static_cast<Sender*>(context);
        self.link.calls += 'F';
        self.link.busy_sends = 3;
        self.engine.Request(7, {});
      },
      &sender);
  engine_.PollOrYield();
  EXPECT_EQ(link_.calls, "PFPssPsPs");
  link_.calls.clear();
  engine_.PollOrYield();
  EXPECT_EQ(link_.calls, "PFPssPsPs") << "but afterwards";
}

// One function waits for a transfer. Another function takes the next step of a
// barrier, and must not be delayed.
TEST_F(ProgressInEngineTest, OthersGoOnWhileOneWaits) {
  engine_.SetWaitMode(WaitMode::kSpin, false);
  struct Waiter {
    ScriptedLink& link;
    Engine<ScriptedLink, FakeKernel>& engine;
    bool done = false;
  } waiter{link_, engine_};
  Replace(
      [](void* context) {
        Waiter& self = *static_cast<Waiter*>(context);
        self.link.calls += '(';
        self.engine.WaitUntil([&] { return self.done; });
        self.link.calls += ')';
        self.done = false;
      },
      &waiter);
  engine_.progress().Activate(engine_.progress().Add(
      [](void* context) {
        Waiter& self = *static_cast<Waiter*>(context);
        self.link.calls += 'G';
        self.done = true;
      },
      &waiter));
  engine_.PollOrYield();
  EXPECT_EQ(link_.calls, "P(PG)G");
}

}  // namespace
}  // namespace gasnet::am
