// Tests of messages between ranks whose threads have their own rails. The ranks
// are threads of this process, too.
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/hostshm/link_test_host.h"
#include "core/hostshm/producer.h"
#include "core/hostshm/rails.h"
#include "core/hostshm/tuning.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"
#include "gtest/gtest.h"

namespace gasnet::hostshm {
namespace {

using am::Category;
using am::Lane;
using am::WaitMode;

constexpr uint32_t kRanks = 2;
constexpr uint8_t kNote = am::kFirstClientHandler;
constexpr uint8_t kAsk = kNote + 1;
constexpr uint8_t kAnswer = kNote + 2;
constexpr uint8_t kBytes = kNote + 3;
constexpr uint8_t kAskForMany = kNote + 4;
constexpr size_t kMany = 200;  // bytes of a payload that does not fit a cell

am::Engine<HostLink>* engine_of_asked;
std::atomic<uint32_t> notes;
std::atomic<uint32_t> answers[64];  // indexed by the asking thread
std::atomic<uint32_t> bad_bytes;
std::atomic<uint32_t> asks_handled;

void OnNote(void*) { ++notes; }
void OnAsk(void* token, int32_t thread) {
  ++asks_handled;
  engine_of_asked->Reply(*static_cast<am::Token*>(token),
                         {.handler = kAnswer, .num_args = 1, .args = &thread});
}
// Replies with a payload that takes a block of the payload area.
void OnAskForMany(void* token) {
  unsigned char bytes[kMany];
  memset(bytes, static_cast<unsigned char>(kMany), kMany);
  engine_of_asked->Reply(*static_cast<am::Token*>(token),
                         {.category = Category::kMedium,
                          .handler = kBytes,
                          .payload = bytes,
                          .nbytes = kMany});
}
void OnAnswer(void*, int32_t thread) { ++answers[thread]; }
void OnBytes(void*, void* payload, size_t nbytes) {
  const auto* const bytes = static_cast<unsigned char*>(payload);
  for (size_t i = 0; i < nbytes; ++i) {
    if (bytes[i] != static_cast<unsigned char>(nbytes)) ++bad_bytes;
  }
  ++notes;
}

struct Host : TestHost {
  explicit Host(uint32_t ranks = kRanks, WaitMode mode = WaitMode::kBlock)
      : TestHost(ranks) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      auto& table = engine(rank).handlers();
      const auto add = [&](uint8_t index, auto function) {
        table.RegisterClient(index, reinterpret_cast<am::AnyHandler>(function));
      };
      add(kNote, &OnNote);
      add(kAsk, &OnAsk);
      add(kAnswer, &OnAnswer);
      add(kBytes, &OnBytes);
      add(kAskForMany, &OnAskForMany);
      engine(rank).SetWaitMode(mode, true);
    }
    AllowRails(thread::kMaxRails);
    engine_of_asked = &engine(1);
    notes = bad_bytes = asks_handled = 0;
    for (auto& count : answers) count = 0;
  }
};

}  // namespace

// Gives tests access to a producer.
struct ProducerPeer {
  static thread::SpinLock& LockOf(Producer& producer) { return producer.lock_; }
  // Returns the number of messages sent so far.
  static uint32_t Sent(Producer& producer) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return producer.next_;
  }
};

namespace {

// Moves the calling thread to another rail of the rank.
unsigned MoveOn(Host& host, Rank rank) {
  for (unsigned i = 0; i < kMeetingsPerMove; ++i) {
    if (host.link(rank).MoveThread()) break;
  }
  return thread::Self().rails.own;
}

class HostRails : public ::testing::Test {
 protected:
  // The main thread must not keep the rails of a test for the next one.
  ~HostRails() override { thread::Self().rails = {}; }
};

TEST_F(HostRails, ARequestIntroducesItsRailOnce) {
  Host host;
  const unsigned rail = MoveOn(host, 0);
  ASSERT_NE(rail, 0u);
  host.engine(0).Request(1, {.handler = kNote});
  EXPECT_TRUE(host.link(1).rails().IsOne());
  EXPECT_EQ(host.engine(1).Poll(), 1u) << "the introduction";
  EXPECT_EQ(host.link(1).rails().made(), (1u | 1u << rail));
  host.engine(1).Poll();
  EXPECT_EQ(notes, 1u);
  host.engine(0).Request(1, {.handler = kNote});
  EXPECT_FALSE(host.link(1).rails().at(0).From(0, Lane::kRequest).Ready());
  host.engine(1).Poll();
  EXPECT_EQ(notes, 2u);
}

TEST_F(HostRails, AReplyGoesBackOnTheRailOfItsRequest) {
  Host host;
  const unsigned rail = MoveOn(host, 0);
  const int32_t me = 0;
  host.engine(0).Request(1, {.handler = kAsk, .num_args = 1, .args = &me});
  std::thread other([&] {
    while (notes == 0) {
      host.engine(1).Poll();
      if (host.link(0).rails().at(rail).From(1, Lane::kReply).Ready()) ++notes;
    }
  });
  other.join();
  EXPECT_FALSE(host.link(0).rails().at(0).From(1, Lane::kReply).Ready());
  host.engine(0).WaitUntil([] { return answers[0] == 1; });
}

TEST_F(HostRails, MessagesToTakeAreOnTheFirst) {
  Host host;
  MoveOn(host, 0);
  for (const size_t nbytes : {size_t{8}, kMany}) {
    const int32_t args[] = {5};
    const std::vector<unsigned char> sent(nbytes, 77);
    host.engine(0).RequestUnserved(1, {.category = Category::kMedium,
                                       .handler = kBytes,
                                       .num_args = 1,
                                       .args = args,
                                       .payload = sent.data(),
                                       .nbytes = nbytes});
    std::vector<unsigned char> got(nbytes);
    const am::Wanted wanted{
        .from = 0, .handler = kBytes, .num_args = 1, .nbytes = nbytes};
    EXPECT_TRUE(host.engine(1).Take(
        wanted, got.data(),
        [](const int32_t* given) { return given[0] == 5; }));
    EXPECT_EQ(got, sent);
  }
}

TEST_F(HostRails, APreparedPayloadLeavesOnTheRailThatItIsIn) {
  Host host;
  constexpr size_t kBytesOf = 60'000;
  for (int before = 0; before < 2; ++before) {
    void* const payload =
        host.engine(0).Prepare(1, Lane::kRequest, 0, kBytesOf);
    ASSERT_NE(payload, nullptr);
    memset(payload, static_cast<unsigned char>(kBytesOf), kBytesOf);
    MoveOn(host, 0);
    host.engine(0).Request(1, {.category = Category::kMedium,
                               .handler = kBytes,
                               .payload = payload,
                               .nbytes = kBytesOf});
    host.engine(0).EndPrepared(1, Lane::kRequest, 0, payload);
    memset(payload, static_cast<unsigned char>(kBytesOf), kBytesOf);
    const auto due = static_cast<uint32_t>(before) + 1;
    host.engine(1).WaitUntil([=] { return notes == due; });
  }
  EXPECT_EQ(bad_bytes, 0u);
}

// One thread of rank 1 serves the requests of many threads of rank 0, each on
// its own rail, on few processors.
void OneServesMany(uint32_t ranks, WaitMode mode) {
  constexpr uint32_t kThreads = 32;
  constexpr uint32_t kRounds = 200;
  Host host(ranks, mode);
  std::atomic<uint32_t> asked{0};
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto me = static_cast<int32_t>(i);
      if (i > 0) MoveOn(host, 0);
      for (uint32_t round = 1; round <= kRounds; ++round) {
        host.engine(0).Request(1,
                               {.handler = kAsk, .num_args = 1, .args = &me});
        host.engine(0).WaitUntil([=] { return answers[me] == round; });
      }
      if (++asked == kThreads) host.engine(0).Request(1, {.handler = kNote});
    });
  }
  host.engine(1).WaitUntil([] { return notes == 1; });
  for (std::thread& thread : threads) thread.join();
  for (uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(answers[i], kRounds);
}

TEST_F(HostRails, OneThreadServesMany) {
  if (!thread::kConcurrent) GTEST_SKIP() << "GASNET_PAR only";
  OneServesMany(2, WaitMode::kBlock);
  OneServesMany(2, WaitMode::kSpinBlock);
}

TEST_F(HostRails, OneThreadServesManyAmongManyRanks) {
  if (!thread::kConcurrent) GTEST_SKIP() << "GASNET_PAR only";
  OneServesMany(kDirectPollRanks + 1, WaitMode::kBlock);
}

// A thread with a rail computes, and no thread serves that rail. Another thread
// sleeps until a message arrives on that rail, in a wait that never spins.
TEST_F(HostRails, AMessageForAThreadThatComputesWakesAnother) {
  if (!thread::kConcurrent) GTEST_SKIP() << "GASNET_PAR only";
  constexpr uint32_t kRounds = 500;
  Host host;
  std::atomic<uint32_t> asked{0};
  std::thread asks([&] {
    const unsigned rail = MoveOn(host, 0);
    EXPECT_EQ(rail, 1u);
    for (uint32_t round = 1; round <= kRounds; ++round) {
      asked.wait(round - 1);
      host.engine(0).Request(1, {.handler = kNote});
    }
  });
  for (uint32_t round = 1; round <= kRounds; ++round) {
    ++asked;
    asked.notify_all();
    if (!host.link(1).rails().IsOne()) host.link(1).rails().at(1).SetServer(0);
    host.engine(1).WaitUntil([=] { return notes == round; });
  }
  asks.join();
  EXPECT_EQ(host.link(0).rails().made(), 3u);
  EXPECT_EQ(host.link(1).rails().made(), 3u);
}

// The replies' rail belongs to an ended thread. The thread that takes only
// replies neither sleeps nor searches for rails that no thread polls.
TEST_F(HostRails, RepliesOfAThreadThatHasEndedAreTaken) {
  if (!thread::kConcurrent) GTEST_SKIP() << "GASNET_PAR only";
  constexpr uint32_t kAsked = kCells;
  Host host;
  std::thread([&] {
    MoveOn(host, 0);
    const int32_t me = 0;
    for (uint32_t i = 0; i < kAsked; ++i) {
      host.engine(0).Request(1, {.handler = kAsk, .num_args = 1, .args = &me});
      while (host.engine(1).Poll() == 0) continue;
    }
  }).join();
  for (unsigned polls = 0; polls < kCells / kBurst; ++polls) {
    host.engine(0).PollReplies();
  }
  EXPECT_EQ(answers[0], kAsked);
}

// While a handler waits for room to reply, its thread takes replies on all
// rails. The asking thread takes no replies before a handler has waited.
TEST_F(HostRails, AReplyThatWaitsForRoomKeepsToItsRail) {
  if (!thread::kConcurrent) GTEST_SKIP() << "GASNET_PAR only";
  constexpr uint32_t kAsked = kCells + kCells / 2;
  Host host;
  Rails& rails = host.link(1).rails();
  // A nested poll looks at the third rail last.
  ASSERT_TRUE(rails.Make(2).ok());
  std::thread asks([&] {
    MoveOn(host, 0);
    const int32_t me = 0;
    const am::Message ask = {.handler = kAsk, .num_args = 1, .args = &me};
    for (uint32_t i = 0; i < kAsked; ++i) {
      while (host.link(0).Send(1, Lane::kRequest, ask) != am::Post::kDone)
        continue;
    }
    // The next reply finds no room. The thread that runs its handler polls
    // before it arms its doorbell to sleep.
    while (asks_handled <= kCells || host.link(1).doorbell().armed == 0)
      continue;
    host.engine(0).WaitUntil([&] { return answers[0] == kAsked; });
  });
  while (answers[0] < kAsked) host.engine(1).Poll();
  asks.join();
  EXPECT_EQ(ProducerPeer::Sent(rails.at(0).To(0, Lane::kReply)), 0u);
  EXPECT_EQ(ProducerPeer::Sent(rails.at(1).To(0, Lane::kReply)), kAsked);
}

// A reply needs no room for requests, even on a rail that neither side has
// introduced to the other.
TEST_F(HostRails, AReplyIntroducesNothing) {
  Host host;
  EXPECT_EQ(MoveOn(host, 0), 1u);
  const int32_t me = 0;
  host.engine(0).Request(1, {.handler = kAsk, .num_args = 1, .args = &me});
  EXPECT_EQ(MoveOn(host, 1), 1u);
  EXPECT_EQ(host.engine(1).Poll(), 1u) << "on this thread's rail alone";
  host.engine(0).PollReplies();
  EXPECT_EQ(answers[0], 1u);
  host.engine(0).Request(1, {.handler = kAskForMany});
  EXPECT_EQ(host.engine(1).Poll(), 1u);
  host.engine(0).PollReplies();
  EXPECT_EQ(notes, 1u);
  EXPECT_EQ(bad_bytes, 0u);
  Producer& first = host.link(1).rails().at(0).To(0, Lane::kRequest);
  EXPECT_EQ(ProducerPeer::Sent(first), 0u);
}

TEST_F(HostRails, AThreadThatMeetsAnotherMoves) {
  if (!thread::kConcurrent) GTEST_SKIP() << "GASNET_PAR only";
  Host host;
  Producer& first = host.link(0).rails().at(0).To(1, Lane::kRequest);
  ProducerPeer::LockOf(first).lock();
  std::atomic<bool> has_sent{false};
  std::thread sends([&] {
    host.link(0).Send(1, Lane::kRequest, {.handler = kNote});
    has_sent = true;
  });
  // The new rail's introduction waits for the first rail's lock, held here.
  while (host.link(0).rails().IsOne()) std::this_thread::yield();
  EXPECT_FALSE(has_sent);
  ProducerPeer::LockOf(first).unlock();
  sends.join();
  host.engine(1).WaitUntil([] { return notes == 1; });
  EXPECT_EQ(
      ProducerPeer::Sent(host.link(0).rails().at(1).To(1, Lane::kRequest)), 1u);
}

// Threads flood, meet, move, and end, while others receive.
TEST_F(HostRails, ThreadsThatFloodAndEnd) {
  if (!thread::kConcurrent) GTEST_SKIP() << "GASNET_PAR only";
  constexpr uint32_t kMessages = 2000;
  constexpr uint32_t kThreads = 4;
  constexpr uint32_t kGenerations = 5;
  Host host;
  const auto receive = [&](uint32_t until) {
    host.engine(1).WaitUntil([=] { return notes >= until; });
  };
  const auto send = [&](uint32_t seed) {
    for (uint32_t i = 0; i < kMessages; ++i) {
      const size_t nbytes = (i * 131 + seed) % (i % 16 == 0 ? 60'000 : 300);
      const std::vector<unsigned char> payload(
          nbytes, static_cast<unsigned char>(nbytes));
      host.engine(0).Request(1, {.category = Category::kMedium,
                                 .handler = kBytes,
                                 .payload = payload.data(),
                                 .nbytes = nbytes});
    }
  };
  for (uint32_t generation = 1; generation <= kGenerations; ++generation) {
    const uint32_t until = generation * kThreads * kMessages;
    std::vector<std::thread> threads;
    threads.emplace_back(receive, until);
    threads.emplace_back(receive, until - kMessages);
    for (uint32_t i = 0; i < kThreads; ++i) threads.emplace_back(send, i);
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(notes, kGenerations * kThreads * kMessages);
  EXPECT_EQ(bad_bytes, 0u);
}

void Introduce(Host& host, unsigned on, uint32_t rail) {
  Producer::Slot slot;
  ASSERT_TRUE(
      host.link(0).rails().at(on).To(1, Lane::kRequest).Reserve(0, slot));
  const CellHeader header{
      .lap = slot.lap, .category = kIntroduction, .nbytes = rail};
  slot.cell->header.store(header.Pack());
}

TEST_F(HostRails, CorruptIntroductionsNameTheRank) {
  for (const uint32_t rail : {0u, thread::kMaxRails, ~0u}) {
    Host host;
    Introduce(host, 0, rail);
    EXPECT_DEATH(host.engine(1).Poll(),
                 "shared memory written by rank 0 is corrupt: it introduces "
                 "rail [0-9]+ on rail 0");
  }
  Host host;
  const unsigned rail = MoveOn(host, 0);
  host.engine(0).Request(1, {.handler = kNote});
  host.engine(1).Poll();
  host.engine(1).Poll();
  Introduce(host, rail, 2);
  EXPECT_DEATH(host.engine(1).Poll(), "it introduces rail 2 on rail 1");
}

}  // namespace
}  // namespace gasnet::hostshm
