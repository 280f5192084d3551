// Tests of the link over a host and a network: the choice between the two, and
// the times at which each is polled. No order of events may lose a wake-up.
#include "core/network/link.h"
#include "absl/status/status.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "base/asymmetric_fence.h"
#include "base/clock.h"
#include "core/am/engine.h"
#include "core/am/handler_table.h"
#include "core/am/progress.h"
#include "core/hostshm/layout.h"
#include "core/network/network.h"
#include "core/network/testing/scripted_network.h"
#include "core/thread/mode.h"

namespace gasnet::network {
namespace {

static_assert(am::Link<Link> && am::LinkHasMessages<Link> &&
              am::LinkTakes<Link> && am::LinkPollsInPassing<Link> &&
              am::LinkPollsAgain<Link> && am::LinkHasMaxLongTo<Link> &&
              am::LinkHasWholeMedium<Link> && am::LinkLands<Link> &&
              am::LinkSendsInSteps<Link> && am::LinkPrepares<Link> &&
              am::LinkKnowsRoom<Link> && am::LinkKnowsFill<Link>);

std::atomic<int> notes{0};
void Note(void*) { ++notes; }

// Ranks 0 and 1 share memory, as objects of this process; rank 2 is elsewhere.
class NetworkLinkTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kNear = 2;

  NetworkLinkTest() : layout_(kNear) {
    AsymmetricFence::Register();
    notes = 0;
    base_ = static_cast<unsigned char*>(
        mmap(nullptr, layout_.total(), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    const std::array<Rank, kNear> ranks = {0, 1};
    for (Rank me = 0; me < kNear; ++me) {
      Link& link = links_.emplace_back();
      link.host().Init(base_, layout_, me, ranks, kNear + 1);
      Engine& engine = engines_.emplace_back(link, progress_.emplace_back());
      engine.handlers().RegisterClient(kNote,
                                       reinterpret_cast<am::AnyHandler>(&Note));
      EXPECT_TRUE(
          link.Start(std::make_unique<ScriptedNetwork>(), engine.progress())
              .ok());
    }
  }
  ~NetworkLinkTest() override { munmap(base_, layout_.total()); }

  using Engine = am::Engine<Link>;
  Link& link(Rank rank) { return links_[rank]; }
  Engine& engine(Rank rank) { return engines_[rank]; }
  ScriptedNetwork& network(Rank rank = 0) {
    return static_cast<ScriptedNetwork&>(*links_[rank].network());
  }

  // Sends from rank 1 to rank 0, through the rings.
  void SendNear() {
    while (link(1).host().Send(0, am::Lane::kRequest, {.handler = kNote}) !=
           am::Post::kDone) {
    }
  }

 private:
  const hostshm::Layout layout_;
  unsigned char* base_;
  std::deque<Link> links_;
  std::deque<am::Progress> progress_;
  std::deque<Engine> engines_;
};

TEST_F(NetworkLinkTest, EachRankIsReachedByItsWay) {
  EXPECT_EQ(link(0).Send(1, am::Lane::kRequest, {.handler = kNote}),
            am::Post::kDone);
  EXPECT_TRUE(network(0).sent_to.empty());
  EXPECT_EQ(engine(1).Poll(), 1u);
  EXPECT_EQ(link(0).Send(2, am::Lane::kReply, {.handler = kNote}),
            am::Post::kDone);
  EXPECT_EQ(network(0).sent_to, std::vector<Rank>{2});
  EXPECT_EQ(engine(1).Poll(), 0u);
}

TEST_F(NetworkLinkTest, APollServesBoth) {
  SendNear();
  network().Bring();
  EXPECT_EQ(engine(0).Poll(), 2u);
  EXPECT_EQ(notes, 2);
}

TEST_F(NetworkLinkTest, AMessageFromNearMakesTheNextLookAFreshOne) {
  am::Dispatcher& nobody = *new am::Dispatcher;
  EXPECT_EQ(link(0).PollAgain(am::Lanes::kAll, nobody), 0u);
  EXPECT_EQ(network().polls_again, 1);
  EXPECT_EQ(link(0).Poll(am::Lanes::kAll, nobody), 0u);
  EXPECT_EQ(network().polls_again, 1);
  delete &nobody;
}

TEST_F(NetworkLinkTest, LimitsAreTheLeastOfBoth) {
  EXPECT_EQ(link(0).MaxMedium(), 700u);
  EXPECT_EQ(link(0).MaxLong(am::Lane::kRequest), 700u);
  for (const EndpointIndex across : {0, 1}) {
    EXPECT_EQ(link(0).MaxLongTo(2, am::Lane::kRequest, across), 5000u);
    EXPECT_EQ(link(0).MaxLongTo(1, am::Lane::kRequest, across), 700u);
  }
  EXPECT_EQ(link(0).WholeMedium(2), 650u);
  EXPECT_EQ(link(0).WholeMedium(1), 700u);
  link(0).SetMaxMedium(600);
  EXPECT_EQ(link(0).WholeMedium(2), 600u);
  EXPECT_EQ(link(0).MaxMedium(), 600u);
  EXPECT_TRUE(link(0).Lands(2));
  EXPECT_FALSE(link(0).Lands(1));
}

TEST_F(NetworkLinkTest, TimersAreProgress) {
  engine(0).PollOrYield();
  EXPECT_EQ(network().timers_served, 1);
}

TEST_F(NetworkLinkTest, RequestsLookAtTheNetworkNowAndThen) {
  am::Dispatcher& nobody = *new am::Dispatcher;
  const int64_t begun = NowNanos();
  int sends = 0;
  while (network().polls == 0) {
    link(0).PollBeforeSend(nobody);
    ++sends;
  }
  EXPECT_GE(NowNanos() - begun, 4'000) << sends;
  // A poll just before a send looks at the network, so the send does not.
  network().polls = 0;
  for (int i = 0; i < 100; ++i) {
    link(0).Poll(am::Lanes::kAll, nobody);
    link(0).PollBeforeSend(nobody);
  }
  EXPECT_EQ(network().polls, 100);
  delete &nobody;
}

TEST_F(NetworkLinkTest, AFailureToStartIsAnswered) {
  Link link;
  auto network = std::make_unique<ScriptedNetwork>();
  network->start_status = absl::InternalError("no thread");
  am::Progress progress;
  EXPECT_EQ(link.Start(std::move(network), progress).message(), "no thread");
}

// The source of an event, and its time: before or after the last look of the
// wait, or while the thread sleeps.
enum class Source { kNetwork, kNear, kOwnThread };
enum class When { kBeforeTheLastLook, kAfterTheLastLook, kAsleep };

class WakeTest
    : public NetworkLinkTest,
      public ::testing::WithParamInterface<std::tuple<Source, When>> {
 protected:
  void MakeEvent() {
    switch (std::get<0>(GetParam())) {
      case Source::kNetwork:
        network().Bring();
        break;
      case Source::kNear:
        SendNear();
        break;
      case Source::kOwnThread:
        // Simulates a message to this rank itself, or a poll that handles
        // something.
        ++notes;
        link(0).WakeOwn();
        break;
    }
  }
  bool Applies() const {
    return thread::kManyThreads ||
           std::get<0>(GetParam()) != Source::kOwnThread;
  }
};

// Only the event ends the wait: the test hangs if the wake-up is lost.
TEST_P(WakeTest, AWaitIsEndedByTheEvent) {
  if (!Applies()) GTEST_SKIP() << "one thread alone has no other to wake it";
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  const When when = std::get<1>(GetParam());
  // The steps of a blocking wait: look, arm, look, sleep, and then from the
  // start.
  int looks = 0;
  network().on_poll = [&] {
    if (when == When::kBeforeTheLastLook && ++looks == 2) MakeEvent();
  };
  std::thread other;
  const auto done = [&] {
    if (when == When::kAfterTheLastLook && ++looks == 3) MakeEvent();
    return notes > 0;
  };
  if (when == When::kAsleep) {
    other = std::thread([&] {
      // Waits until the thread has looked twice: then it sleeps, or is about
      // to.
      while (network().polls < 2) sched_yield();
      MakeEvent();
    });
  }
  engine(0).WaitUntil(done);
  EXPECT_EQ(notes, 1);
  if (other.joinable()) other.join();
}

INSTANTIATE_TEST_SUITE_P(
    Orders, WakeTest,
    ::testing::Combine(
        ::testing::Values(Source::kNetwork, Source::kNear, Source::kOwnThread),
        ::testing::Values(When::kBeforeTheLastLook, When::kAfterTheLastLook,
                          When::kAsleep)));

// Runs many rounds, so that an event falls into every gap of a wait.
TEST_F(NetworkLinkTest, NoWakeUpIsLost) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  constexpr int kRounds = 3000;
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  std::thread near_and_far([&] {
    for (int round = 0; round < kRounds; ++round) {
      while (notes < round) sched_yield();
      round % 2 == 0 ? SendNear() : network().Bring();
    }
  });
  for (int round = 1; round <= kRounds; ++round) {
    engine(0).WaitUntil([&] { return notes >= round; });
  }
  near_and_far.join();
}

#if defined(GASNET_PAR)
// Several threads sleep, one of them on the descriptors. The thread that
// receives the event wakes the others.
TEST_F(NetworkLinkTest, AllThreadsThatSleepHearOfIt) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  constexpr int kThreads = 3, kRounds = 1000;
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  std::atomic<int> arrived{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 1; round <= kRounds; ++round) {
        engine(0).WaitUntil([&] { return notes >= round; });
        ++arrived;
      }
    });
  }
  for (int round = 1; round <= kRounds; ++round) {
    round % 2 == 0 ? SendNear() : network().Bring();
    while (arrived < round * kThreads) sched_yield();
  }
  for (std::thread& thread : threads) thread.join();
}

// An event only makes room to send. A thread that does not sleep receives the
// event, so the descriptor wakes no thread.
TEST_F(NetworkLinkTest, RoomWakesOthers) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  network().messages_of_nothing = true;
  network().hides_events = true;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back(
        [&] { engine(0).WaitUntil([&] { return network().receipts() > 0; }); });
  }
  while (network().polls < 4) sched_yield();
  network().Bring();
  while (network().receipts() == 0) engine(0).Poll();
  for (std::thread& thread : threads) thread.join();
}

// The watcher leaves at its deadline. That wakes no other thread, but another
// sleeper must then wait for the descriptors. On a busy machine the deadline
// may pass before the watcher sleeps; such a round tests nothing.
TEST_F(NetworkLinkTest, WhoLeavesHandsTheWatchOn) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  for (int round = 1; round <= 20; ++round) {
    network().polls = 0;
    const int64_t due = NowNanos() + 10'000'000;
    network().deadline = due;
    std::thread watcher(
        [&] { engine(0).WaitUntil([&] { return NowNanos() >= due; }); });
    while (network().polls < 2 && NowNanos() < due) sched_yield();
    const int before = network().polls;
    std::thread other(
        [&] { engine(0).WaitUntil([&] { return notes >= round; }); });
    while (network().polls < before + 2) sched_yield();
    watcher.join();
    network().deadline = kNever;
    network().Bring();
    other.join();
  }
}

// A watcher that naps keeps the watch until its wait is over.
TEST_F(NetworkLinkTest, WhoHasNappedHandsTheWatchOn) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  network().deadline = kNever;
  for (int round = 1; round <= 20; ++round) {
    network().polls = 0;
    std::atomic<bool> over{false};
    std::thread watcher([&] {
      am::Wait wait;
      while (!over) engine(0).WaitStep(wait, am::EndedBy::kAnything);
      engine(0).EndWait(wait);
    });
    // Waits until the watcher has napped.
    while (network().polls < 4) sched_yield();
    std::thread other(
        [&] { engine(0).WaitUntil([&] { return notes >= round; }); });
    const int before = network().polls;
    while (network().polls < before + 6) sched_yield();
    over = true;
    watcher.join();
    network().Bring();
    other.join();
  }
}
#endif

TEST_F(NetworkLinkTest, ALimitEndsASleep) {
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  network().deadline = kNever;
  engine(0).link().LimitSleep(2'000'000);
  const int64_t due = NowNanos() + 2'000'000;
  engine(0).WaitUntil([&] { return NowNanos() >= due; });
}

TEST_F(NetworkLinkTest, ANapEndsASleep) {
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  network().deadline = kNever;
  const int64_t due = NowNanos() + 5'000'000;
  am::Wait wait;
  while (NowNanos() < due) {
    engine(0).WaitStep(wait, am::EndedBy::kAnything);
  }
  engine(0).EndWait(wait);
}

TEST_F(NetworkLinkTest, ADeadlineEndsASleep) {
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  network().deadline = NowNanos() + 2'000'000;
  const int64_t due = network().deadline;
  engine(0).WaitUntil([&] { return NowNanos() >= due; });
  EXPECT_GT(network().timers_served, 0);
}

// A thread that may miss a wake-up sleeps only briefly.
TEST_F(NetworkLinkTest, LooksByItselfWhereItIsNotWoken) {
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  for (const bool has_fd : {false, true}) {
    network().has_fd = has_fd;
    link(0).SetCertain(!has_fd);
    const int before = network().polls;
    engine(0).WaitUntil([&] { return network().polls >= before + 10; });
  }
}

// The network knows for how long nothing will arrive, so sleepers need not
// look.
TEST_F(NetworkLinkTest, ANetworkWithoutADescriptorSaysWhenToLook) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  engine(0).SetWaitMode(am::WaitMode::kBlock, false);
  network().has_fd = false;
  const int64_t due = NowNanos() + 50'000'000;
  network().deadline = due;
  engine(0).WaitUntil([&] { return NowNanos() >= due; });
  // The thread polls before each of its two sleeps, and afterwards.
  EXPECT_LE(network().polls, 4);
}

}  // namespace
}  // namespace gasnet::network
