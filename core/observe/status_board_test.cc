// Tests of a rank's status page, read by the rank itself.
#include "core/observe/status_board.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "core/observe/testing/page_file.h"
#include "gtest/gtest.h"
#include "job/status/rank_status.h"
#include "job/status/status_page.h"

namespace gasnet::observe {
namespace {

using job::RankStatus;
using job::RankWait;
using job::StatusPage;
using testing::PageFile;

// Returns once the clock's time has changed.
void AwaitTick() {
  const int64_t now = NowNanos();
  while (NowNanos() == now) {
  }
}

// Returns a wait with `peer` in each of its number fields.
Waiting RoomAt(uint32_t peer) {
  return {.what = WaitFor::kRoom, .peer = peer, .first = peer, .second = peer};
}

using PeerList = std::vector<uint32_t>;

class StatusBoardTest : public ::testing::Test {
 protected:
  StatusBoardTest() { board_.Join(file_.page()); }

  // Returns the peers of the waits on the page, the longest wait first.
  PeerList Peers() const {
    PeerList peers;
    for (const RankWait& wait : file_.Read().waits) {
      peers.push_back(wait.waiting.peer);
    }
    return peers;
  }
  // Begins a wait at a later time than all earlier waits, so that a reader
  // lists the waits in the order in which they began.
  void Begin(uint32_t peer) {
    AwaitTick();
    board_.BeginWait(RoomAt(peer));
  }
  // Does the work in a thread of its own.
  template <class Work>
  static void InAnotherThread(Work work) {
    std::thread(work).join();
  }

  PageFile file_;
  StatusBoard board_;
};

TEST_F(StatusBoardTest, AWaitIsThereUntilItEnds) {
  const int64_t before = NowNanos();
  board_.BeginWait({.what = WaitFor::kCollective,
                    .peer = 3,
                    .first = uint64_t{1} << 40,
                    .second = 5});
  const int64_t now = NowNanos();
  const RankStatus status = file_.Read(now);
  ASSERT_EQ(status.waits.size(), 1u);
  EXPECT_EQ(status.waits[0].waiting.what, WaitFor::kCollective);
  EXPECT_EQ(status.waits[0].waiting.peer, 3u);
  EXPECT_EQ(status.waits[0].waiting.first, uint64_t{1} << 40);
  EXPECT_EQ(status.waits[0].waiting.second, 5u);
  EXPECT_EQ(status.waits[0].thread, gettid());
  EXPECT_LE(status.waits[0].nanos, now - before);
  board_.EndWait();
  EXPECT_EQ(Peers(), (PeerList{}));
}

TEST_F(StatusBoardTest, TheInnermostWaitEndsFirst) {
  for (const uint32_t peer : {1, 2, 3}) Begin(peer);
  EXPECT_EQ(Peers(), (PeerList{1, 2, 3}));
  board_.EndWait();
  EXPECT_EQ(Peers(), (PeerList{1, 2}));
  board_.EndWait();
  EXPECT_EQ(Peers(), (PeerList{1}));
  board_.EndWait();
  EXPECT_EQ(Peers(), (PeerList{}));
}

// Another thread frees the first slot, so an inner wait has a lower slot than
// an outer one.
TEST_F(StatusBoardTest, TheInnermostWaitEndsFirstInWhateverSlotItIs) {
  std::atomic<int> step{0};
  std::thread other([&] {
    board_.BeginWait(RoomAt(9));
    step = 1;
    step.notify_all();
    step.wait(1);
    board_.EndWait();
    step = 3;
    step.notify_all();
  });
  step.wait(0);
  Begin(1);
  step = 2;
  step.notify_all();
  step.wait(2);
  other.join();
  Begin(2);
  EXPECT_EQ(file_.page().waits[0].peer, 2u) << "in front of the outer wait";
  board_.EndWait();
  EXPECT_EQ(Peers(), (PeerList{1}));
  board_.EndWait();
  EXPECT_EQ(Peers(), (PeerList{}));
}

TEST_F(StatusBoardTest, AThreadEndsItsOwnWaits) {
  Begin(1);
  InAnotherThread([this] {
    Begin(2);
    EXPECT_EQ(Peers(), (PeerList{1, 2}));
    board_.EndWait();
  });
  EXPECT_EQ(Peers(), (PeerList{1}));
  InAnotherThread([this] { Begin(3); });
  board_.EndWait();
  EXPECT_EQ(Peers(), (PeerList{3}));
}

TEST_F(StatusBoardTest, AWaitThatFindsNoSlotIsCounted) {
  for (uint32_t i = 0; i < StatusPage::kWaits; ++i) board_.BeginWait(RoomAt(i));
  InAnotherThread([this] {
    board_.BeginWait(RoomAt(99));
    board_.BeginWait(RoomAt(99));
    EXPECT_EQ(file_.Read().further_waits, 2u);
    EXPECT_EQ(file_.Read().waits.size(), StatusPage::kWaits);
    board_.EndWait();
    EXPECT_EQ(file_.Read().further_waits, 1u);
    board_.EndWait();
  });
  EXPECT_EQ(file_.Read().further_waits, 0u);
  EXPECT_EQ(file_.Read().waits.size(), StatusPage::kWaits);
}

TEST_F(StatusBoardTest, NothingIsLeftOfMoreWaitsThanThereAreSlots) {
  const uint32_t many = StatusPage::kWaits + 3;
  for (uint32_t i = 0; i < many; ++i) board_.BeginWait(RoomAt(i));
  EXPECT_EQ(file_.Read().further_waits, 3u);
  for (uint32_t i = 0; i < many; ++i) board_.EndWait();
  EXPECT_EQ(file_.Read().further_waits, 0u);
  EXPECT_TRUE(file_.Read().waits.empty());
  board_.BeginWait(RoomAt(5));
  EXPECT_EQ(Peers(), (PeerList{5}));
}

// Threads outnumber the slots, and some have several waits. The page is read
// while they run.
TEST_F(StatusBoardTest, NoPartsOfTwoWaitsAreReadAsOne) {
  constexpr int kThreads = 7;
  constexpr uint32_t kDeep = 3;
  constexpr int kReads = 3000;
  const int64_t start = NowNanos();
  std::atomic<bool> is_over{false};
  std::array<std::atomic<int32_t>, kThreads> numbers{};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      numbers[i] = gettid();
      for (uint32_t wait = 0; !is_over; wait += kDeep) {
        for (uint32_t j = 0; j < kDeep; ++j) {
          board_.BeginWait(RoomAt(kThreads * (wait + j) + i));
        }
        for (uint32_t j = 0; j < kDeep; ++j) board_.EndWait();
      }
    });
  }
  for (int i = 0; i < kReads && !HasFailure(); ++i) {
    const int64_t now = NowNanos();
    for (const RankWait& wait : file_.Read(now).waits) {
      EXPECT_EQ(wait.waiting.what, WaitFor::kRoom);
      EXPECT_EQ(wait.waiting.first, wait.waiting.peer);
      EXPECT_EQ(wait.waiting.second, wait.waiting.peer);
      EXPECT_EQ(wait.thread, numbers[wait.waiting.peer % kThreads]);
      EXPECT_LE(wait.nanos, now - start);
    }
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(file_.Read().waits.empty());
  EXPECT_EQ(file_.Read().further_waits, 0u);
}

// A thread has taken a slot, but has not written its wait yet.
TEST_F(StatusBoardTest, ASlotThatIsTakenAndNotWrittenIsNoWait) {
  file_.page().waits[0].thread = gettid();
  EXPECT_EQ(Peers(), (PeerList{})) << "never used";
  file_.page().waits[0].thread = 0;
  board_.BeginWait(RoomAt(1));
  board_.EndWait();
  file_.page().waits[0].thread = gettid();
  EXPECT_EQ(Peers(), (PeerList{})) << "used before";
}

TEST_F(StatusBoardTest, BarriersAreCounted) {
  EXPECT_EQ(file_.Read().barriers, 0u);
  board_.NoteBarrier(7);
  EXPECT_EQ(file_.Read().barriers, 7u);
}

TEST_F(StatusBoardTest, ATeamIsThereUntilItIsRemoved) {
  StatusBoard::Team all = board_.AddTeam(job::kTeamOfAll);
  StatusBoard::Team other = board_.AddTeam(job::TeamName(4, 2));
  all.NoteBegun(5);
  RankStatus status = file_.Read();
  ASSERT_EQ(status.teams.size(), 2u);
  EXPECT_EQ(status.teams[0].name, job::kTeamOfAll);
  EXPECT_EQ(status.teams[0].begun, 5u);
  EXPECT_EQ(status.teams[1].name, job::TeamName(4, 2));
  EXPECT_EQ(status.teams[1].begun, 0u);
  StatusBoard::RemoveTeam(all);
  all.NoteBegun(6);
  StatusBoard::RemoveTeam(all);
  status = file_.Read();
  ASSERT_EQ(status.teams.size(), 1u);
  EXPECT_EQ(status.teams[0].name, job::TeamName(4, 2));
  board_.AddTeam(8);
  status = file_.Read();
  ASSERT_EQ(status.teams.size(), 2u);
  EXPECT_EQ(status.teams[0].name, 8u);
  EXPECT_EQ(status.teams[0].begun, 0u) << "its own count";
  StatusBoard::RemoveTeam(other);
}

TEST_F(StatusBoardTest, ATeamWithoutRoomIsNotThere) {
  std::vector<StatusBoard::Team> teams;
  for (uint64_t name = 0; name < StatusPage::kTeams; ++name) {
    teams.push_back(board_.AddTeam(name));
  }
  StatusBoard::Team further = board_.AddTeam(99);
  further.NoteBegun(3);
  StatusBoard::RemoveTeam(further);
  const RankStatus status = file_.Read();
  ASSERT_EQ(status.teams.size(), StatusPage::kTeams);
  for (uint64_t name = 0; name < StatusPage::kTeams; ++name) {
    EXPECT_EQ(status.teams[name].name, name);
    EXPECT_EQ(status.teams[name].begun, 0u);
  }
  StatusBoard::RemoveTeam(teams[3]);
  board_.AddTeam(99).NoteBegun(4);
  EXPECT_EQ(file_.Read().teams[3].name, 99u);
  EXPECT_EQ(file_.Read().teams[3].begun, 4u);
}

// Threads add teams at the same time.
TEST_F(StatusBoardTest, TheCountOfATeamIsItsOwn) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (uint64_t name = 1; name <= 4; ++name) {
    threads.emplace_back([&, name] {
      for (uint32_t i = 1; i <= 2000; ++i) {
        StatusBoard::Team team = board_.AddTeam(name);
        team.NoteBegun(i);
        for (const job::TeamCount& at : file_.page().teams) {
          if (at.name_and_one == name + 1 && at.begun != i) ++wrong;
        }
        StatusBoard::RemoveTeam(team);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(file_.Read().teams.empty());
}

TEST_F(StatusBoardTest, AQuestionIsAnsweredByAPoll) {
  board_.NoteAsked();
  const int64_t asked = file_.page().asked_at;
  EXPECT_EQ(file_.Read(asked + 5).unpolled_nanos, 5);
  AwaitTick();
  board_.NotePolled();
  EXPECT_EQ(file_.Read().unpolled_nanos, 0);
  AwaitTick();
  board_.NoteAsked();
  EXPECT_GT(file_.page().asked_at, asked);
  EXPECT_GT(file_.page().asked_at, file_.page().polled_at);
}

TEST_F(StatusBoardTest, AQuestionWithoutAnAnswerStands) {
  board_.NoteAsked();
  const int64_t asked = file_.page().asked_at;
  EXPECT_GT(asked, 0);
  AwaitTick();
  board_.NoteAsked();
  EXPECT_EQ(file_.page().asked_at, asked);
}

// The process called exec, perhaps while it was changing the page, and a new
// runtime takes the page.
TEST(StatusBoardLife, ThePageOfAnEarlierLifeIsCleared) {
  PageFile file;
  StatusPage& page = file.page();
  page.version = StatusPage::kVersion;
  page.further_waits = 3;
  page.asked_at = 9;
  page.polled_at = 4;
  page.barriers = 5;
  for (job::TeamCount& team : page.teams) {
    team.name_and_one = 7;
    team.begun = 8;
  }
  for (uint32_t i = 0; i < StatusPage::kWaits; ++i) {
    page.waits[i].version = 10 + i;
    page.waits[i].thread = 12;
  }
  StatusBoard board;
  board.Join(page);
  const RankStatus status = file.Read();
  EXPECT_TRUE(status.has_page);
  EXPECT_EQ(status.further_waits, 0u);
  EXPECT_EQ(status.unpolled_nanos, 0);
  EXPECT_EQ(status.barriers, 0u);
  EXPECT_TRUE(status.teams.empty());
  EXPECT_TRUE(status.waits.empty());
  EXPECT_EQ(page.polled_at, 0);
  board.AddTeam(1);
  EXPECT_EQ(file.Read().teams.at(0).begun, 0u);
  for (uint32_t i = 0; i < StatusPage::kWaits; ++i) {
    board.BeginWait(RoomAt(i));
    EXPECT_EQ(file.Read().waits.size(), i + 1);
  }
}

TEST(StatusBoardLife, ThePageIsLeft) {
  PageFile file;
  {
    StatusBoard board;
    board.Join(file.page());
    EXPECT_TRUE(file.Read().has_page);
    board.Leave();
    EXPECT_FALSE(file.Read().has_page);
    file.page().version = StatusPage::kVersion;
    board.NoteBarrier(3);
    EXPECT_EQ(file.Read().barriers, 0u) << "it writes no more";
  }
  EXPECT_TRUE(file.Read().has_page) << "it leaves once";
  {
    StatusBoard board;
    board.Join(file.page());
  }
  EXPECT_FALSE(file.Read().has_page);
}

TEST(StatusBoardLife, NothingIsWrittenWithoutAPage) {
  StatusBoard board;
  board.NoteBarrier(1);
  board.BeginWait(RoomAt(1));
  board.EndWait();
  StatusBoard::Team team = board.AddTeam(1);
  team.NoteBegun(1);
  StatusBoard::RemoveTeam(team);
  board.NoteAsked();
  board.NotePolled();
}

}  // namespace
}  // namespace gasnet::observe
