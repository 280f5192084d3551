// Tests the network's wait on a rank's status page, read by the rank itself.
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "core/observe/status_board.h"
#include "core/observe/testing/page_file.h"
#include "gtest/gtest.h"
#include "job/status/rank_status.h"
#include "job/status/status_page.h"

namespace gasnet::observe {
namespace {

using job::NetworkSlot;
using job::RankStatus;
using testing::PageFile;

class NetworkWaitTest : public ::testing::Test {
 protected:
  NetworkWaitTest() {
    board_.Join(file_.page());
    board_.SetNetwork([this] {
      ++asked_;
      return wait_;
    });
  }

  // Asks the rank if it polls, and lets it poll.
  void AskAndPoll() {
    board_.NoteAsked();
    board_.NotePolled();
  }
  RankStatus::Network Read(int64_t now = NowNanos()) const {
    return file_.Read(now).network;
  }

  PageFile file_;
  StatusBoard board_;
  NetworkWait wait_{.since = 5, .peer = 3, .text = "a put to rank 3"};
  int asked_ = 0;
};

TEST_F(NetworkWaitTest, IsWrittenByAPollThatWasAskedFor) {
  EXPECT_EQ(Read().nanos, 0);
  board_.NoteAsked();
  EXPECT_EQ(asked_, 0);
  AskAndPoll();
  EXPECT_EQ(asked_, 1);
  const int64_t now = NowNanos();
  EXPECT_EQ(Read(now).nanos, now - 5);
  EXPECT_EQ(Read(now).peer, 3u);
  EXPECT_EQ(Read(now).text, "a put to rank 3");
}

TEST_F(NetworkWaitTest, ANewOneReplacesIt) {
  AskAndPoll();
  wait_ = {.since = 6, .text = "room"};
  AskAndPoll();
  EXPECT_EQ(Read(106).nanos, 100);
  EXPECT_EQ(Read().peer, job::kNobody);
  EXPECT_EQ(Read().text, "room");
  wait_ = {};
  AskAndPoll();
  EXPECT_EQ(Read().nanos, 0);
  EXPECT_EQ(Read().text, "");
}

// The rank may have got on since.
TEST_F(NetworkWaitTest, IsOutOfDateWhileTheRankDoesNotPoll) {
  AskAndPoll();
  board_.NoteAsked();
  EXPECT_NE(Read().nanos, 0);
  const int64_t later = NowNanos() + job::kLongestWithoutPoll;
  EXPECT_EQ(Read(later).nanos, 0);
  board_.NotePolled();
  EXPECT_NE(Read(later).nanos, 0);
}

TEST_F(NetworkWaitTest, IsGoneInAnotherLife) {
  AskAndPoll();
  board_.Leave();
  EXPECT_EQ(Read().nanos, 0);
  board_.SetNetwork(nullptr);
  board_.Join(file_.page());
  AskAndPoll();
  EXPECT_EQ(Read().nanos, 0);
  EXPECT_EQ(asked_, 1);
}

TEST_F(NetworkWaitTest, OfALongTextTheEndIsLost) {
  const size_t most = NetworkSlot::kTextBytes - 1;
  for (const size_t size : {most - 1, most, most + 1, 2 * most}) {
    wait_.text = std::string(size - 1, 'a') + "b";
    AskAndPoll();
    EXPECT_EQ(Read().text, wait_.text.substr(0, most)) << size;
  }
}

TEST_F(NetworkWaitTest, ATextThatIsNotPrintableIsNoWait) {
  for (const char* text : {"a\nb", "\x1b[2J", "\x7f", "\xc3\xa4"}) {
    wait_.text = text;
    AskAndPoll();
    EXPECT_EQ(Read().nanos, 0);
  }
}

// A broken rank may write anything.
TEST_F(NetworkWaitTest, ASlotWithoutAnEndIsReadToItsEnd) {
  AskAndPoll();
  for (auto& word : file_.page().network.text) word = 0x6161616161616161;
  EXPECT_EQ(Read().text, std::string(NetworkSlot::kTextBytes - 1, 'a'));
  file_.page().network.since = -7;
  EXPECT_EQ(Read(100).nanos, 100);
  file_.page().network.since = INT64_MAX;
  EXPECT_EQ(Read(100).nanos, 1);
  file_.page().network.version = 7;
  EXPECT_EQ(Read().nanos, 0);
}

// Threads answer at the same time, and the page is read meanwhile.
TEST_F(NetworkWaitTest, NoPartsOfTwoWaitsAreReadAsOne) {
  constexpr int kThreads = 3;
  constexpr int kReads = 3000;
  std::atomic<int64_t> next{1};
  board_.SetNetwork([&next] {
    const int64_t number = next++;
    return NetworkWait{.since = number,
                       .peer = static_cast<uint32_t>(number),
                       .text = std::string(200, 'a') + std::to_string(number)};
  });
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      while (!is_over) board_.NotePolled();
    });
  }
  constexpr int64_t kNow = int64_t{1} << 60;
  for (int i = 0; i < kReads && !HasFailure(); ++i) {
    const RankStatus::Network network = Read(kNow);
    if (network.nanos == 0) continue;
    EXPECT_EQ(network.nanos, kNow - network.peer);
    EXPECT_EQ(network.text,
              std::string(200, 'a') + std::to_string(network.peer));
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace gasnet::observe
