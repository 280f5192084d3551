// Tests of rings, doorbells and the barrier with concurrent ranks, each in its
// own thread. Only events end waits, so a lost wake-up makes a test hang.
#include <atomic>
#include <thread>
#include <vector>

#include "core/hostshm/arrivals.h"
#include "core/hostshm/barrier.h"
#include "core/hostshm/doorbell.h"
#include "core/hostshm/link_test_host.h"
#include "core/thread/mode.h"
#include "gtest/gtest.h"

namespace gasnet::hostshm {
namespace {

using am::Category;
using am::Lane;
using am::WaitMode;

constexpr uint8_t kCount = am::kFirstClientHandler;
constexpr uint8_t kCheck = kCount + 1;

std::atomic<uint32_t> counts[3];     // indexed by receiving rank
std::atomic<uint32_t> bad_payloads;  // seen by OnCheck

void OnCount(void*, int32_t receiver) { ++counts[receiver]; }

void OnCheck(void*, void* payload, size_t nbytes, int32_t receiver) {
  const auto* const bytes = static_cast<unsigned char*>(payload);
  for (size_t i = 0; i < nbytes; ++i) {
    if (bytes[i] != static_cast<unsigned char>(nbytes)) ++bad_payloads;
  }
  ++counts[receiver];
}

struct Host : TestHost {
  explicit Host(uint32_t ranks) : TestHost(ranks) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      auto& table = engine(rank).handlers();
      table.RegisterClient(kCount, reinterpret_cast<am::AnyHandler>(&OnCount));
      table.RegisterClient(kCheck, reinterpret_cast<am::AnyHandler>(&OnCheck));
      engine(rank).SetWaitMode(WaitMode::kBlock, true);
    }
    for (auto& count : counts) count = 0;
    bad_payloads = 0;
  }
};

am::Message Count(const int32_t& receiver) {
  return {.handler = kCount, .num_args = 1, .args = &receiver};
}

// Returns true if sleepers can fence. Otherwise they wake up by themselves, and
// would hide a lost wake-up.
bool CanFence() {
  AsymmetricFence::Register();
  return AsymmetricFence::HeavyFence();
}

// Under GASNET_SEQ only the one client thread may use its thread record. In the
// tests below each thread is a rank, but they use no thread records.

TEST(DoorbellTest, RingAfterArmWakes) {
  if (!CanFence()) GTEST_SKIP() << "the kernel has no membarrier";
  constexpr uint32_t kRounds = 20'000;
  Doorbell bells[2]{};
  std::atomic<uint32_t> turn{0};
  const auto play = [&](uint32_t me) {
    for (uint32_t round = me; round < kRounds; round += 2) {
      while (turn.load(std::memory_order_acquire) != round) {
        const uint32_t epoch = bells[me].Arm();
        const bool fenced = AsymmetricFence::HeavyFence();
        if (turn.load(std::memory_order_acquire) == round) break;
        bells[me].Sleep(epoch, fenced);
      }
      turn.store(round + 1, std::memory_order_release);
      bells[1 - me].Ring();
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  EXPECT_EQ(turn, kRounds);
}

TEST(DoorbellTest, RingWithNobodyArmedChangesNothing) {
  Doorbell bell{};
  bell.Ring();
  EXPECT_EQ(bell.epoch, 0u);
  const uint32_t epoch = bell.Arm();
  bell.Ring();
  EXPECT_NE(bell.epoch, epoch);
  bell.Sleep(epoch, true);  // returns at once
  EXPECT_EQ(bell.armed, 0u);
}

// A condition that is evaluated between the steps of a wait may itself wait.
TEST(DoorbellTest, AWaitWithinAWaitLeavesNobodyAsleep) {
  Doorbell bell{};
  const uint32_t outer = bell.Arm();
  bell.Arm();
  bell.Disarm();
  EXPECT_FALSE(bell.Watch(outer)) << "or who waits elsewhere would sleep";
  bell.EndWatch();
  bell.Sleep(outer, true);  // returns at once
  EXPECT_EQ(bell.epoch, outer);
}

TEST(HostLinkThreads, SendWakesASleeper) {
  if (!CanFence()) GTEST_SKIP() << "the kernel has no membarrier";
  constexpr uint32_t kRounds = 5000;
  for (const uint32_t ranks : {2u, 17u}) {
    Host host(ranks);
    const auto play = [&](Rank me) {
      const int32_t to = 1 - static_cast<int32_t>(me);
      for (uint32_t round = 1; round <= kRounds; ++round) {
        if (me == 0) host.engine(me).Request(to, Count(to));
        host.engine(me).WaitUntil([&] { return counts[me] >= round; });
        if (me == 1) host.engine(me).Request(to, Count(to));
      }
    };
    std::thread other(play, 1);
    play(0);
    other.join();
    EXPECT_EQ(counts[0], kRounds);
    EXPECT_EQ(counts[1], kRounds);
  }
}

// A sender sleeps on a full ring. Returned credit wakes it.
TEST(HostLinkThreads, CreditWakesASender) {
  if (!CanFence()) GTEST_SKIP() << "the kernel has no membarrier";
  constexpr uint32_t kMessages = 5000;
  Host host(2);
  std::thread receiver(
      [&] { host.engine(1).WaitUntil([] { return counts[1] == kMessages; }); });
  const int32_t to = 1;
  std::vector<unsigned char> payload(5000, static_cast<unsigned char>(5000));
  for (uint32_t i = 0; i < kMessages; ++i) {
    host.engine(0).Request(1, {.category = Category::kMedium,
                               .handler = kCheck,
                               .num_args = 1,
                               .args = &to,
                               .payload = payload.data(),
                               .nbytes = payload.size()});
  }
  receiver.join();
  EXPECT_EQ(bad_payloads, 0u);
}

// Two threads of rank 0 send, two of rank 1 receive, over one ring.
TEST(HostLinkThreads, SeveralThreadsShareARing) {
  if (!thread::kConcurrent) GTEST_SKIP() << "GASNET_PAR only";
  constexpr uint32_t kMessages = 10'000;
  Host host(2);
  const auto receive = [&] {
    host.engine(1).WaitUntil([] { return counts[1] == 2 * kMessages; });
  };
  const auto send = [&](unsigned seed) {
    const int32_t to = 1;
    for (uint32_t i = 0; i < kMessages; ++i) {
      const size_t nbytes = (i * 131 + seed) % (i % 16 == 0 ? 60'000 : 300);
      const std::vector<unsigned char> payload(
          nbytes, static_cast<unsigned char>(nbytes));
      host.engine(0).Request(1, {.category = Category::kMedium,
                                 .handler = kCheck,
                                 .num_args = 1,
                                 .args = &to,
                                 .payload = payload.data(),
                                 .nbytes = nbytes});
    }
  };
  std::vector<std::thread> threads;
  threads.emplace_back(receive);
  threads.emplace_back(receive);
  threads.emplace_back(send, 1u);
  threads.emplace_back(send, 2u);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts[1], 2 * kMessages);
  EXPECT_EQ(bad_payloads, 0u);
}

// Returns the vote of rank `rank` in phase `phase`.
BarrierVote VoteFor(uint32_t phase, Rank rank) {
  const auto id = static_cast<int32_t>(phase * 2654435761u);
  switch (phase % 5) {
    case 0:
      return {};
    case 1:
      return {.named = true, .id = id};
    case 2:  // one name, the others anonymous
      return rank == phase % 3 ? BarrierVote{.named = true, .id = id}
                               : BarrierVote{};
    case 3:  // one name differs
      return {.named = true, .id = rank == 1 ? id + 1 : id};
    default:
      return {.named = true, .mismatch = rank == 2, .id = id};
  }
}

TEST(BarrierTest, EveryPhaseEndsAlikeForAll) {
  constexpr Rank kRanks = 3;
  constexpr uint32_t kPhases = 5000;
  Host host(kRanks);
  std::atomic<uint32_t> entered{0}, early{0}, wrong{0};
  const auto run = [&](Rank me) {
    Barrier barrier(host.base(), host.layout(), me, host.link(me));
    for (uint32_t phase = 1; phase <= kPhases; ++phase) {
      ++entered;
      barrier.Notify(VoteFor(phase, me));
      host.engine(me).WaitUntil([&] { return barrier.Done(); });
      if (entered < phase * kRanks) ++early;
      const BarrierVote got = barrier.Result();
      const BarrierVote mine = VoteFor(phase, phase % 3);
      if (got.mismatch != (phase % 5 >= 3)) ++wrong;
      if (got.named != (phase % 5 != 0)) ++wrong;
      if (!got.mismatch && got.named && got.id != mine.id) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < kRanks; ++rank) threads.emplace_back(run, rank);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(early, 0u);
  EXPECT_EQ(wrong, 0u);
}

TEST(BarrierTest, OneRankIsDoneAtOnce) {
  Host host(1);
  Barrier barrier(host.base(), host.layout(), 0, host.link(0));
  for (int32_t id = -2; id < 3; ++id) {
    barrier.Notify({.named = true, .id = id});
    EXPECT_TRUE(barrier.Done());
    EXPECT_EQ(barrier.Result(), (BarrierVote{.named = true, .id = id}));
  }
}

TEST(BarrierTest, IsNotDoneBeforeTheLast) {
  Host host(2);
  Barrier first(host.base(), host.layout(), 0, host.link(0));
  Barrier second(host.base(), host.layout(), 1, host.link(1));
  for (int phase = 0; phase < 10; ++phase) {
    first.Notify({});
    EXPECT_FALSE(first.Done());
    second.Notify({});
    EXPECT_TRUE(first.Done());
    EXPECT_TRUE(second.Done());
  }
}

bool IsComplete(const Arrivals& arrivals, uint64_t number) {
  std::atomic<uint32_t> seen{0};
  return arrivals.IsComplete(number, seen);
}

TEST(ArrivalsTest, SeveralUnderWayEndInAnyOrder) {
  if (!CanFence()) GTEST_SKIP() << "the kernel has no membarrier";
  constexpr Rank kRanks = 3;
  constexpr uint32_t kRounds = 3000;
  constexpr uint32_t kDepth = 3;
  Host host(kRanks);
  std::atomic<uint32_t> entered{0}, early{0};
  const auto run = [&](Rank me) {
    Arrivals arrivals(host.base(), host.layout(), me, host.link(me));
    for (uint32_t round = 0; round < kRounds; ++round) {
      uint64_t numbers[kDepth];
      for (uint64_t& number : numbers) {
        ++entered;
        number = arrivals.Arrive().number;
      }
      for (uint32_t i = 0; i < kDepth; ++i) {
        const uint32_t which = round % 2 == 0 ? i : kDepth - 1 - i;
        const uint64_t number = numbers[which];
        std::atomic<uint32_t> seen{0};
        host.engine(me).WaitUntil(
            [&] { return arrivals.IsComplete(number, seen); });
        if (entered < number * kRanks) ++early;
      }
    }
  };
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < kRanks; ++rank) threads.emplace_back(run, rank);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(early, 0u);
}

TEST(ArrivalsTest, OneRankIsCompleteAtOnce) {
  Host host(1);
  Arrivals arrivals(host.base(), host.layout(), 0, host.link(0));
  EXPECT_TRUE(arrivals.Arrive().is_complete);
  EXPECT_TRUE(arrivals.Arrive().is_complete);
}

TEST(ArrivalsTest, IsNotCompleteBeforeTheLast) {
  Host host(2);
  Arrivals first(host.base(), host.layout(), 0, host.link(0));
  Arrivals second(host.base(), host.layout(), 1, host.link(1));
  for (uint64_t number = 1; number < 20; number += 2) {
    EXPECT_FALSE(first.Arrive().is_complete);
    EXPECT_FALSE(first.Arrive().is_complete);
    EXPECT_TRUE(second.Arrive().is_complete);
    EXPECT_TRUE(IsComplete(first, number));
    EXPECT_FALSE(IsComplete(first, number + 1));
    EXPECT_FALSE(IsComplete(second, number + 1));
    EXPECT_TRUE(second.Arrive().is_complete);
    EXPECT_TRUE(IsComplete(first, number + 1));
  }
}

}  // namespace
}  // namespace gasnet::hostshm
