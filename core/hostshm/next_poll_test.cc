// Tests of NoteNextPoll(). Users who inspect the job then see the next poll.
#include <cstdint>

#include "core/hostshm/host_link.h"
#include "core/hostshm/link_test_host.h"
#include "core/hostshm/tuning.h"
#include "core/observe/status_board.h"
#include "core/thread/thread_state.h"
#include "gtest/gtest.h"
#include "job/status/status_page.h"

namespace gasnet::hostshm {
namespace {

using am::Lane;
using am::Lanes;
using am::Post;

constexpr uint8_t kHandler = am::kFirstClientHandler;
int taken;
void Take(void*) { ++taken; }

// A host whose rank 1 records its polls on a page. With many ranks, rank 1
// polls by the bits that senders set.
class NextPoll : public testing::TestWithParam<uint32_t> {
 protected:
  NextPoll() {
    board_.Join(page_);
    link_.SetStatusBoard(board_);
    for (am::HandlerTable* table :
         {&host_.engine(0).handlers(), &host_.engine(1).handlers(),
          &dispatcher_.handlers()}) {
      table->RegisterClient(kHandler, reinterpret_cast<am::AnyHandler>(&Take));
    }
  }
  // Returns true if a poll was recorded since the last call.
  bool WasNoted() { return page_.polled_at.exchange(0) > 0; }

  Post Send(Rank from, Rank to, Lane lane = Lane::kRequest) {
    return host_.link(from).Send(to, lane, {.handler = kHandler});
  }

  job::StatusPage page_{};
  observe::StatusBoard board_;
  TestHost host_{GetParam()};
  HostLink& link_ = host_.link(1);
  am::Dispatcher dispatcher_;
};

TEST_P(NextPoll, IsNotedOnceIfThatWasAsked) {
  for (const Lanes lanes : {Lanes::kAll, Lanes::kReplies}) {
    link_.Poll(lanes, dispatcher_);
    link_.HasMessages();
    EXPECT_FALSE(WasNoted());
    link_.NoteNextPoll();
    link_.NoteNextPoll();
    EXPECT_FALSE(WasNoted());
    link_.Poll(lanes, dispatcher_);
    EXPECT_TRUE(WasNoted());
    link_.Poll(lanes, dispatcher_);
    EXPECT_FALSE(WasNoted());
  }
}

TEST_P(NextPoll, MayBeALookForMessages) {
  link_.NoteNextPoll();
  EXPECT_FALSE(link_.HasMessages());
  EXPECT_TRUE(WasNoted());
  EXPECT_FALSE(link_.HasMessages());
  EXPECT_FALSE(WasNoted());
  link_.NoteNextPoll();
  link_.PollInPassing(dispatcher_);
  EXPECT_TRUE(WasNoted());
}

TEST_P(NextPoll, IsNotThatOfAnotherRank) {
  link_.NoteNextPoll();
  host_.engine(0).Poll();
  EXPECT_FALSE(host_.link(0).HasMessages());
  EXPECT_FALSE(WasNoted());
}

TEST_P(NextPoll, TakesMessagesLikeAnyOther) {
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(Send(0, 1), Post::kDone);
    ASSERT_EQ(Send(0, 1, Lane::kReply), Post::kDone);
    link_.NoteNextPoll();
    EXPECT_TRUE(link_.HasMessages());
    link_.NoteNextPoll();
    EXPECT_TRUE(link_.HasMessagesBut(kHandler + 1));
    link_.NoteNextPoll();
    EXPECT_EQ(link_.Poll(Lanes::kReplies, dispatcher_), 1u);
    link_.NoteNextPoll();
    EXPECT_EQ(link_.Poll(Lanes::kAll, dispatcher_), 1u);
    EXPECT_FALSE(link_.HasMessages());
  }
}

// With many ranks, rank 1 looks at bits only. The bits do not tell requests for
// one handler from others, so HasMessagesBut() returns true.
TEST_P(NextPoll, LeavesRequestsToThoseThatTakeThem) {
  ASSERT_EQ(Send(0, 1), Post::kDone);
  const bool is_crowd = !host_.layout().direct_poll();
  EXPECT_EQ(link_.HasMessagesBut(kHandler), is_crowd);
  link_.NoteNextPoll();
  EXPECT_EQ(link_.HasMessagesBut(kHandler), is_crowd);
}

TEST_P(NextPoll, LeavesTheWayOfMessagesAsItIs) {
  for (int round = 0; round < 3; ++round) {
    link_.NoteNextPoll();
    if (round != 1) link_.Poll(Lanes::kAll, dispatcher_);
    ASSERT_EQ(Send(1, 0), Post::kDone);
    EXPECT_EQ(host_.engine(0).Poll(), 1u);
    ASSERT_EQ(Send(0, 1), Post::kDone);
    EXPECT_EQ(host_.engine(1).Poll(), 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(FewRanksAndMany, NextPoll, testing::Values(2, 70));

TEST(NextPollOnRails, LooksAtAllRailsAndSoDoTheOthers) {
  TestHost host(2);
  host.AllowRails(thread::kMaxRails);
  job::StatusPage page{};
  observe::StatusBoard board;
  board.Join(page);
  host.link(1).SetStatusBoard(board);
  host.engine(1).handlers().RegisterClient(
      kHandler, reinterpret_cast<am::AnyHandler>(&Take));
  for (unsigned i = 0; i < kMeetingsPerMove; ++i) {
    if (host.link(0).MoveThread()) break;
  }
  taken = 0;
  host.engine(0).Request(1, {.handler = kHandler});
  host.engine(1).WaitUntil([] { return taken == 1; });
  for (int round = 1; round < 4; ++round) {
    host.link(1).NoteNextPoll();
    host.engine(0).Request(1, {.handler = kHandler});
    EXPECT_TRUE(round != 2 || host.link(1).HasMessages());
    host.engine(1).Poll();
    EXPECT_EQ(taken, round * 2);
    EXPECT_GT(page.polled_at.exchange(0), 0);
    host.engine(0).Request(1, {.handler = kHandler});
    host.engine(1).Poll();
    EXPECT_EQ(taken, round * 2 + 1);
    EXPECT_EQ(page.polled_at, 0);
  }
  thread::Self().rails = {};
}

}  // namespace
}  // namespace gasnet::hostshm
