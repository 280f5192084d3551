// Tests of the link over a network that waits for its events itself: the length
// of sleeps, and the events that end them.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/asymmetric_fence.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "core/am/dispatcher.h"
#include "core/am/engine.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/hostshm/layout.h"
#include "core/network/link.h"
#include "core/network/network.h"
#include "core/network/readable.h"
#include "core/segment.h"
#include "core/thread/mode.h"

namespace gasnet::network {
namespace {

constexpr uint8_t kNote = am::kFirstClientHandler;
constexpr Rank kFar = 2;

std::atomic<int> notes{0};
void Note(void*) { ++notes; }

// A network whose messages come from the test.
class AwaitingNetwork final : public Network {
 public:
  absl::Status Start() override { return absl::OkStatus(); }
  Capabilities capabilities() const override { return {.awaits = true}; }
  am::Post Send(Rank, am::Lane, const am::Message&) override {
    return am::Post::kDone;
  }
  Polled Poll(am::Lanes, am::Dispatcher& dispatcher, bool) override {
    ++polls;
    const uint64_t arrived = Take(messages_);
    for (uint64_t i = 0; i < arrived; ++i) {
      dispatcher.Deliver({.source = kFar, .handler = kNote});
    }
    return {.handled = static_cast<unsigned>(arrived), .took_in = arrived > 0};
  }
  size_t MaxMedium() const override { return 700; }
  size_t MaxLong() const override { return 700; }
  absl::StatusOr<Exposed> Expose(EndpointIndex, const Segment&) override {
    return Exposed();
  }
  void Drain(bool) override {}
  void Await(int64_t nanos) override {
    longest = std::max(longest.load(), nanos);
    const int messages = messages_.get();
    AwaitReadable({&messages, 1}, bell_.get(), nanos);
    Take(bell_);
  }
  void Ring() override { Add(bell_); }

  // Injects a message from another host; any thread.
  void Bring() { Add(messages_); }

  std::atomic<int> polls{0};
  std::atomic<int64_t> longest{0};

 private:
  static void Add(const UniqueFd& to) {
    const uint64_t one = 1;
    ASSERT_EQ(write(to.get(), &one, sizeof one), ssize_t{sizeof one});
  }
  static uint64_t Take(const UniqueFd& from) {
    uint64_t count = 0;
    return read(from.get(), &count, sizeof count) < 0 ? 0 : count;
  }

  const UniqueFd messages_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  const UniqueFd bell_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
};
// Rank 0 shares memory with no other rank.
class AwaitingLinkTest : public ::testing::Test {
 protected:
  AwaitingLinkTest() : layout_(1) {
    AsymmetricFence::Register();
    notes = 0;
    base_ = static_cast<unsigned char*>(
        mmap(nullptr, layout_.total(), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    const std::array<Rank, 1> ranks = {0};
    link_.host().Init(base_, layout_, 0, ranks, 3);
    engine_.handlers().RegisterClient(kNote,
                                      reinterpret_cast<am::AnyHandler>(&Note));
    EXPECT_TRUE(
        link_.Start(std::make_unique<AwaitingNetwork>(), engine_.progress())
            .ok());
    engine_.SetWaitMode(am::WaitMode::kBlock, false);
  }
  ~AwaitingLinkTest() override { munmap(base_, layout_.total()); }

  AwaitingNetwork& network() {
    return static_cast<AwaitingNetwork&>(*link_.network());
  }

  const hostshm::Layout layout_;
  unsigned char* base_;
  Link link_;
  am::Progress progress_;
  am::Engine<Link> engine_{link_, progress_};
};

TEST_F(AwaitingLinkTest, WhoIsAloneSleepsUntilAnEventComes) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  link_.SetAlone(true);
  std::thread far([&] {
    while (network().longest == 0) sched_yield();
    network().Bring();
  });
  engine_.WaitUntil([] { return notes > 0; });
  far.join();
  EXPECT_EQ(network().longest, kNever);
}

// Messages of neighbours are no events of the network, so a sleeper must look
// for them itself.
TEST_F(AwaitingLinkTest, WhoHasNeighboursLooksByItself) {
  const int before = network().polls;
  engine_.WaitUntil([&] { return network().polls >= before + 10; });
  EXPECT_LE(network().longest, 1'000'000);
}

#if defined(GASNET_PAR)
// Only the other thread's wake-up ends the sleep. The test hangs if the wake-up
// is lost.
TEST_F(AwaitingLinkTest, AnotherThreadWakesTheSleeper) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  constexpr int kRounds = 2000;
  link_.SetAlone(true);
  std::atomic<int> done{0};
  std::thread sleeper([&] {
    for (int round = 1; round <= kRounds; ++round) {
      engine_.WaitUntil([&] { return notes >= round; });
      done = round;
    }
  });
  for (int round = 1; round <= kRounds; ++round) {
    ++notes;
    link_.WakeOwn();
    while (done < round) sched_yield();
  }
  sleeper.join();
}

// After a sibling link appears, the thread looks by itself, since other links
// ring other doorbells.
TEST_F(AwaitingLinkTest, AThreadThatSleepsHearsOfTheFirstSibling) {
  if (!AsymmetricFence::HeavyFence()) GTEST_SKIP() << "no membarrier here";
  link_.SetAlone(true);
  std::atomic<bool> over{false};
  std::thread sleeper([&] { engine_.WaitUntil([&] { return over.load(); }); });
  while (network().longest == 0) sched_yield();
  LinkTable table;
  table.Add(link_);
  link_.SetSiblings(table);
  const int before = network().polls;
  while (network().polls < before + 10) sched_yield();
  over = true;
  sleeper.join();
}
#endif

}  // namespace
}  // namespace gasnet::network
