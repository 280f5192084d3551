// Tests of the waits that an engine publishes for users who inspect the job.
#include <atomic>
#include <cstdint>
#include <memory>

#include "core/am/engine.h"
#include "core/am/testing/fake_kernel.h"
#include "core/am/testing/scripted_link.h"
#include "core/am/tuning.h"
#include "core/am/wait.h"
#include "core/am/wait_reason.h"
#include "core/observe/status_board.h"
#include "gtest/gtest.h"
#include "job/status/status_page.h"

namespace gasnet::am {
namespace {

// Runs long waits in each wait mode. The engine publishes the waits on a page.
class ToldWaitTest : public testing::TestWithParam<WaitPlan> {
 protected:
  ToldWaitTest() {
    FakeKernel::Reset();
    board_.Join(page_);
    engine_.waits().SetStatusBoard(board_);
    engine_.SetWaitMode(GetParam().mode, GetParam().crowded);
    FakeKernel::now_step = kLookFor / 8;
  }
  // Returns the number of waits on the page.
  int Told() const {
    int told = 0;
    for (const job::WaitSlot& slot : page_.waits) {
      if (slot.thread.load(std::memory_order_relaxed) != 0) ++told;
    }
    return told;
  }
  bool IsTold(const observe::Waiting& waiting) const {
    for (const job::WaitSlot& slot : page_.waits) {
      if (slot.thread != 0 &&
          slot.what == static_cast<uint32_t>(waiting.what) &&
          slot.peer == waiting.peer && slot.first == waiting.first &&
          slot.second == waiting.second) {
        return true;
      }
    }
    return false;
  }

  // Returns a reason that counts how often it is called.
  auto Reason() {
    return [this] {
      ++described_;
      return kReason;
    };
  }
  // Waits until the wait is published, and for `further` more looks. Returns
  // false if it is not published.
  bool WaitUntilTold(int further) {
    int looks = 0;
    int looks_when_told = 0;
    engine_.WaitUntil(
        [&] {
          if (Told() > 0) ++looks_when_told;
          return looks_when_told > further || ++looks > kMax;
        },
        Reason());
    return looks_when_told > further;
  }

  static constexpr int kMax = 100'000;
  static constexpr observe::Waiting kReason = {
      .what = observe::WaitFor::kBarrier, .peer = 2, .first = 3, .second = 4};

  job::StatusPage page_{};
  observe::StatusBoard board_;
  ScriptedLink link_;
  Progress progress_;
  Engine<ScriptedLink, FakeKernel> engine_{link_, progress_};
  int described_ = 0;
};

TEST_P(ToldWaitTest, IsToldOnceAndTakenOffAtItsEnd) {
  EXPECT_TRUE(WaitUntilTold(1000));
  EXPECT_EQ(described_, 1);
  EXPECT_EQ(Told(), 0);
  EXPECT_TRUE(WaitUntilTold(0)) << "the next wait is another one";
  EXPECT_EQ(described_, 2);
  EXPECT_EQ(Told(), 0);
  EXPECT_EQ(page_.further_waits, 0u);
}

TEST_P(ToldWaitTest, IsToldWithItsReasonBeforeItSleeps) {
  link_.on_sleep = [&] { EXPECT_TRUE(IsTold(kReason)); };
  int looks = 0;
  engine_.WaitUntil([&] { return IsTold(kReason) || ++looks > kMax; },
                    Reason());
  EXPECT_LE(looks, kMax);
  EXPECT_EQ(Told(), 0);
}

TEST_P(ToldWaitTest, StaysToldWhateverIsHandledMeanwhile) {
  int polls = 0;
  bool was_told = false;
  link_.on_poll = [&] {
    was_told = was_told || Told() == 1;
    EXPECT_EQ(Told(), was_told ? 1 : 0);
    return was_told && ++polls % 3 == 0 ? 1u : 0u;
  };
  EXPECT_TRUE(WaitUntilTold(1000));
  EXPECT_GT(polls, 900);
  EXPECT_EQ(described_, 1);
  EXPECT_EQ(Told(), 0);
}

TEST_P(ToldWaitTest, IsShortIfThereIsSomethingToHandle) {
  int polls = 0;
  link_.on_poll = [&] { return ++polls % 2 == 0 ? 1u : 0u; };
  int looks = 0;
  engine_.WaitUntil([&] { return ++looks == 1000; }, Reason());
  EXPECT_EQ(described_, 0);
  EXPECT_EQ(Told(), 0);
}

TEST_P(ToldWaitTest, ThatIsShortIsNotDescribed) {
  for (const int most : {1, 2, 3}) {
    int looks = 0;
    engine_.WaitUntil(
        [&] {
          EXPECT_EQ(Told(), 0);
          return ++looks == most;
        },
        Reason());
  }
  EXPECT_EQ(described_, 0);
}

TEST_P(ToldWaitTest, IsNotTheLibrarysOwn) {
  board_.BeginWait(kReason);
  Wait wait;
  for (int i = 0; i < 10'000; ++i) {
    engine_.WaitStep(wait);
    ASSERT_EQ(Told(), 1);
  }
  engine_.EndWait(wait);
  EXPECT_EQ(Told(), 1) << "another wait's";
  EXPECT_EQ(page_.further_waits, 0u);
}

TEST_P(ToldWaitTest, MayBeInSteps) {
  Wait wait;
  for (int i = 0; i < kMax && Told() == 0; ++i) {
    engine_.WaitStep(wait, EndedBy::kAnything, Reason());
  }
  EXPECT_TRUE(IsTold(kReason));
  for (int i = 0; i < 1000; ++i) {
    engine_.WaitStep(wait, EndedBy::kAnything, Reason());
  }
  EXPECT_EQ(described_, 1);
  EXPECT_EQ(Told(), 1);
  engine_.EndWait(wait);
  EXPECT_EQ(Told(), 0);
  engine_.EndWait(wait);
  EXPECT_EQ(page_.further_waits, 0u) << "it has ended already";
}

TEST_P(ToldWaitTest, ForRoomNamesThePeer) {
  const auto send_until_told = [&](Lane lane) {
    const auto told = [this, lane] { return IsTold(WaitForRoom{7, lane}()); };
    link_.busy_sends = kMax;
    bool was_told = false;
    link_.on_poll = [&] {
      was_told = told();
      if (was_told) link_.busy_sends = 0;
      return 0u;
    };
    if (lane == Lane::kRequest) {
      engine_.Request(7, {});
    } else {
      Token token{7, true, false, 0, nullptr, nullptr, 0, {}};
      engine_.Reply(token, {});
    }
    EXPECT_TRUE(was_told);
    EXPECT_EQ(Told(), 0);
  };
  send_until_told(Lane::kRequest);
  send_until_told(Lane::kReply);
}

TEST_P(ToldWaitTest, IsToldByEveryEndpoint) {
  ScriptedLink link;
  const auto made =
      std::make_unique<Engine<ScriptedLink, FakeKernel>>(link, progress_);
  const auto wait = [&] {
    bool was_told = false;
    int looks = 0;
    made->WaitUntil(
        [&] {
          was_told = was_told || Told() > 0;
          return was_told || ++looks > 10'000;
        },
        Reason());
    return was_told;
  };
  EXPECT_FALSE(wait()) << "it has no board";
  EXPECT_EQ(described_, 0);
  made->waits().TakeFrom(engine_.waits());
  EXPECT_TRUE(wait());
  EXPECT_EQ(described_, 1);
}

INSTANTIATE_TEST_SUITE_P(Plans, ToldWaitTest,
                         testing::Values(WaitPlan{WaitMode::kSpin, false},
                                         WaitPlan{WaitMode::kSpin, true},
                                         WaitPlan{WaitMode::kBlock, false},
                                         WaitPlan{WaitMode::kBlock, true},
                                         WaitPlan{WaitMode::kSpinBlock, false},
                                         WaitPlan{WaitMode::kSpinBlock, true}));

TEST(WaitReasonTest, IsThatOfTheWait) {
  using observe::WaitFor;
  EXPECT_EQ(WaitForAnything{}().what, WaitFor::kAnything);
  EXPECT_EQ(WaitForCondition{}().what, WaitFor::kCondition);
  const observe::Waiting request = WaitForRoom{3, Lane::kRequest}();
  EXPECT_EQ(request.what, WaitFor::kRoom);
  EXPECT_EQ(request.peer, 3u);
  EXPECT_EQ(request.first, 0u);
  EXPECT_EQ((WaitForRoom{3, Lane::kReply}().first), 1u);
  EXPECT_EQ(WaitForTransfers{}().what, WaitFor::kTransfers);
  EXPECT_EQ(WaitForTransfers{}().peer, job::kNobody);
  EXPECT_EQ(WaitForTransfers{5}().peer, 5u);
  EXPECT_EQ(WaitForTransfers{5}().first, 0u);
  EXPECT_EQ(WaitForTransfers{.count = 6}().first, 6u);
}

}  // namespace
}  // namespace gasnet::am
