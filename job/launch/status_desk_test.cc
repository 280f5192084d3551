// Tests the status desk on scripted hosts. The test controls the clock.
#include "job/launch/status_desk.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/launch/event_loop.h"
#include "job/launch/host_events.h"
#include "job/status/testing/job_view.h"
#include "job/testing/fake_host.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

using testing::HasSubstr;

constexpr int64_t kReport = 60 * kNanosPerSecond;
constexpr int64_t kInterval = kReport / 4;

// Three ranks: 0 and 2 on the host h0, 1 on h1.
class StatusDeskTest : public testing::Test {
 protected:
  StatusDeskTest() {
    auto first = std::make_unique<FakeHost>(0, 4, events_, record0_);
    auto second = std::make_unique<FakeHost>(1, 4, events_, record1_);
    h0_ = first.get();
    h1_ = second.get();
    Hosts hosts;
    hosts.push_back(std::move(first));
    hosts.push_back(std::move(second));
    hosts_.Set(std::move(hosts));
    for (const uint32_t rank : {0, 1, 2}) {
      events_.OnStarted(rank, static_cast<pid_t>(100 + rank));
    }
  }
  ~StatusDeskTest() override { testing::internal::GetCapturedStderr(); }

  static JobPlan Plan() {
    testing::internal::CaptureStderr();
    JobPlan plan;
    plan.name = "launcher";
    plan.size = 3;
    plan.host_of = {0, 1, 0};
    return plan;
  }

  StatusDesk MakeDesk(int64_t report_nanos = kReport) {
    return {hosts_, events_, output_, report_nanos};
  }

  void Join(uint32_t rank) {
    events_.OnHello(rank, {.rank = rank, .pid = 100, .config = "PAR"});
  }
  void JoinAll() {
    for (const uint32_t rank : {0, 1, 2}) Join(rank);
  }

  // Makes all ranks report that they poll, from now on.
  void HaveAllPoll() {
    const RankStatus polls = PollingJob(1)[0].status;
    h0_->statuses = {{0, polls}, {2, polls}};
    h1_->statuses = {{1, polls}};
  }
  // Makes rank 0 report that it has waited `seconds` for rank 1.
  void HaveRank0Wait(int64_t seconds) {
    HaveAllPoll();
    RankView rank = PollingJob(1)[0];
    Wait(rank, RoomTo(1), seconds);
    h0_->statuses[0] = rank.status;
  }

  // Makes the desk run a scheduled round now, with fresh reports.
  static void DoRound(StatusDesk& desk) {
    const int64_t now = NowNanos();
    desk.Start(now - kInterval);
    desk.Expire(now);
    const int64_t asked_at = desk.deadline();
    EXPECT_LE(asked_at, now + kInterval / 10);
    desk.Expire(asked_at);
    EXPECT_EQ(desk.deadline(), asked_at + kInterval);
  }

  // Returns the lines that were printed since the last call.
  std::string Said() {
    output_.Write();
    std::string said = testing::internal::GetCapturedStderr();
    testing::internal::CaptureStderr();
    return said;
  }

  const JobPlan plan_ = Plan();
  FakeHost::Record record0_, record1_;
  FakeHost* h0_ = nullptr;
  FakeHost* h1_ = nullptr;
  EventLoop loop_;
  JobOutput output_{loop_, plan_.name, false};
  JobHosts hosts_{plan_};
  JobEnd end_{hosts_, output_, kNanosPerSecond};
  HostEvents events_{plan_.environment, hosts_, output_, end_};
  int64_t now_ = NowNanos();
};

const char kStall[] =
    "launcher: rank 0 (h0, pid 100) has waited for 60 s for room to send to "
    "rank 1; rank 1 (h1, pid 101) polls\n";

TEST_F(StatusDeskTest, AsksTheRanksAndThenTheirOwners) {
  JoinAll();
  HaveAllPoll();
  StatusDesk desk = MakeDesk(kNever);
  int answers = 0;
  desk.Ask([&](const JobView& job) {
    ++answers;
    EXPECT_EQ(job.size(), 3u);
    EXPECT_EQ(job[1].name, "rank 1 (h1, pid 101)");
    EXPECT_TRUE(job[1].status.has_page);
  });
  EXPECT_TRUE(record0_.Has("ask statistics"));
  EXPECT_TRUE(record0_.Has("ask polls"));
  EXPECT_TRUE(record1_.Has("ask polls"));
  EXPECT_FALSE(record0_.Has("ask status")) << "they poll first";
  const int64_t asked_at = desk.deadline();
  desk.Expire(asked_at - 1);
  EXPECT_FALSE(record0_.Has("ask status"));
  desk.Expire(asked_at);
  EXPECT_EQ(record0_.Count("ask status"), 1);
  EXPECT_EQ(record1_.Count("ask status"), 1);
  EXPECT_EQ(answers, 1) << "all have reported";
  EXPECT_EQ(desk.deadline(), kNever);
}

TEST_F(StatusDeskTest, ARankThatStartsIsToldNothing) {
  Join(0);
  Join(2);
  HaveAllPoll();
  StatusDesk desk = MakeDesk(kNever);
  bool is_answered = false;
  desk.Ask([&](const JobView& job) {
    is_answered = true;
    EXPECT_EQ(job[0].phase, RankView::Phase::kJoined);
    EXPECT_EQ(job[1].phase, RankView::Phase::kNotJoined);
    ASSERT_EQ(job[2].status.waits.size(), 1u) << "for rank 1, in gasnet_init";
    EXPECT_EQ(job[2].status.waits[0].waiting.what, WaitFor::kAllRanks);
    EXPECT_TRUE(job[1].status.waits.empty());
  });
  desk.Expire(desk.deadline());
  EXPECT_TRUE(is_answered);
  EXPECT_FALSE(record0_.Has("ask polls"));
  EXPECT_FALSE(record0_.Has("ask statistics"));
}

TEST_F(StatusDeskTest, AnswersAsSoonAsTheLastHasReported) {
  JoinAll();
  HaveAllPoll();
  const RankStatus late = std::exchange(h1_->statuses, {})[1];
  StatusDesk desk = MakeDesk(kNever);
  int answers = 0;
  desk.Ask([&](const JobView&) { ++answers; });
  now_ = desk.deadline();
  desk.Expire(now_);
  desk.Expire(now_);
  EXPECT_EQ(answers, 0);
  events_.OnStatus(1, late);
  desk.Expire(now_);
  EXPECT_EQ(answers, 1);
  desk.Expire(now_);
  EXPECT_EQ(answers, 1);
  desk.Ask([&](const JobView&) { ++answers; });
  desk.Expire(desk.deadline());
  EXPECT_EQ(answers, 1) << "it has not reported in this round";
  events_.OnStatus(1, late);
  desk.Expire(now_);
  EXPECT_EQ(answers, 2);
}

TEST_F(StatusDeskTest, DoesNotWaitForAHostForEver) {
  JoinAll();
  HaveAllPoll();
  h1_->statuses.clear();
  StatusDesk desk = MakeDesk(kNever);
  bool is_answered = false;
  desk.Ask([&](const JobView& job) {
    is_answered = true;
    EXPECT_TRUE(job[0].status.has_page);
    EXPECT_FALSE(job[1].status.has_page);
  });
  desk.Expire(desk.deadline());
  ASSERT_FALSE(is_answered);
  ASSERT_NE(desk.deadline(), kNever);
  desk.Expire(desk.deadline() - 1);
  EXPECT_FALSE(is_answered);
  desk.Expire(desk.deadline());
  EXPECT_TRUE(is_answered);
}

TEST_F(StatusDeskTest, DoesNotWaitForARankThatHasEnded) {
  JoinAll();
  HaveAllPoll();
  h1_->statuses.clear();
  events_.OnEnded(1, 0);
  StatusDesk desk = MakeDesk(kNever);
  bool is_answered = false;
  desk.Ask([&](const JobView& job) {
    is_answered = true;
    EXPECT_EQ(job[1].phase, RankView::Phase::kEnded);
  });
  desk.Expire(desk.deadline());
  EXPECT_TRUE(is_answered);
}

TEST_F(StatusDeskTest, AnswersAllThatAskInARoundAndLaterOnesAnew) {
  JoinAll();
  HaveAllPoll();
  StatusDesk desk = MakeDesk(kNever);
  std::vector<int> answers;
  desk.Ask([&](const JobView&) { answers.push_back(1); });
  desk.Ask([&](const JobView&) { answers.push_back(2); });
  desk.Expire(desk.deadline());
  EXPECT_EQ(answers, (std::vector<int>{1, 2}));
  EXPECT_EQ(record0_.Count("ask status"), 1);
  desk.Ask([&](const JobView&) { answers.push_back(3); });
  EXPECT_EQ(answers.size(), 2u);
  desk.Expire(desk.deadline());
  EXPECT_EQ(answers, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(record0_.Count("ask status"), 2);
}

TEST_F(StatusDeskTest, AStallIsReportedOnce) {
  JoinAll();
  StatusDesk desk = MakeDesk();
  desk.Start(now_);
  EXPECT_EQ(desk.deadline(), now_ + kInterval);
  HaveRank0Wait(59);
  DoRound(desk);
  EXPECT_EQ(Said(), "") << "it is not that long";
  HaveRank0Wait(60);
  DoRound(desk);
  EXPECT_EQ(Said(), kStall);
  HaveRank0Wait(75);
  DoRound(desk);
  EXPECT_EQ(Said(), "") << "it is the same stall";
}

TEST_F(StatusDeskTest, AStallThatGetsAnotherCauseIsReportedAgain) {
  JoinAll();
  StatusDesk desk = MakeDesk();
  HaveRank0Wait(60);
  DoRound(desk);
  EXPECT_EQ(Said(), kStall);
  HaveRank0Wait(119);
  h1_->statuses[1].unpolled_nanos = kNanosPerSecond / 4;
  DoRound(desk);
  EXPECT_EQ(Said(), "") << "it has not lasted twice as long";
  HaveRank0Wait(121);
  h1_->statuses[1].unpolled_nanos = kNanosPerSecond / 2;
  DoRound(desk);
  EXPECT_THAT(Said(), HasSubstr("rank 1 (h1, pid 101) has not polled for"));
  HaveRank0Wait(250);
  h1_->statuses[1].unpolled_nanos = 130 * kNanosPerSecond;
  h1_->statuses[1].process = 'R';
  DoRound(desk);
  EXPECT_EQ(Said(), "") << "it is the same cause";
  HaveRank0Wait(249);  // The longest wait (250 s) has ended.
  DoRound(desk);
  EXPECT_THAT(Said(), HasSubstr("rank 1 (h1, pid 101) polls"));
}

TEST_F(StatusDeskTest, ASecondStallIsReportedToo) {
  JoinAll();
  StatusDesk desk = MakeDesk();
  HaveRank0Wait(60);
  DoRound(desk);
  EXPECT_EQ(Said(), kStall);
  HaveRank0Wait(1);
  DoRound(desk);
  EXPECT_EQ(Said(), "");
  HaveRank0Wait(60);
  DoRound(desk);
  EXPECT_EQ(Said(), kStall);
}

TEST_F(StatusDeskTest, TheTimeOfAStopIsNoStall) {
  JoinAll();
  StatusDesk desk = MakeDesk();
  HaveRank0Wait(600);
  desk.Resumed(now_);
  DoRound(desk);
  EXPECT_EQ(Said(), "");
  desk.Resumed(now_ - kNanosPerSecond * 3600);
  DoRound(desk);
  EXPECT_NE(Said(), "") << "that was long ago";
}

TEST_F(StatusDeskTest, AStallIsThatOfLongWaits) {
  JoinAll();
  HaveRank0Wait(60);
  RankView rank = PollingJob(1)[0];
  Wait(rank, RoomTo(1), 14);
  h0_->statuses[2] = rank.status;
  StatusDesk desk = MakeDesk();
  DoRound(desk);
  EXPECT_EQ(Said(), kStall);
}

TEST_F(StatusDeskTest, WithoutReportsItAsksOnlyOnRequest) {
  JoinAll();
  HaveRank0Wait(1000);
  StatusDesk desk = MakeDesk(kNever);
  desk.Start(now_);
  EXPECT_EQ(desk.deadline(), kNever);
  desk.Expire(now_ + 1000 * kReport);
  EXPECT_FALSE(record0_.Has("ask polls"));
  EXPECT_FALSE(record0_.Has("ask status"));
  desk.Ask([](const JobView&) {});
  desk.Expire(desk.deadline());
  EXPECT_EQ(desk.deadline(), kNever);
  EXPECT_EQ(Said(), "");
}

TEST_F(StatusDeskTest, AtTheEndItSaysOnceWhatTookLong) {
  JoinAll();
  HaveRank0Wait(60);
  StatusDesk desk = MakeDesk(kNever);
  desk.SayAtEnd();
  EXPECT_EQ(Said(), kStall);
  desk.SayAtEnd();
  EXPECT_EQ(Said(), "");
}

TEST_F(StatusDeskTest, AtTheEndItAsksForPollsUnlessItHasJustAsked) {
  JoinAll();
  HaveRank0Wait(60);
  StatusDesk desk = MakeDesk(kNever);
  desk.SayAtEnd();
  EXPECT_EQ(record0_.Count("ask polls"), 1);
  EXPECT_EQ(record0_.Count("ask status"), 2);
  StatusDesk asked = MakeDesk(kNever);
  asked.Ask([](const JobView&) {});
  asked.Expire(asked.deadline());
  asked.SayAtEnd();
  EXPECT_EQ(record0_.Count("ask polls"), 2);
  EXPECT_EQ(record0_.Count("ask status"), 4);
}

// The rank may be in a handler that does not end.
TEST_F(StatusDeskTest, AtTheEndARankThatWaitsAndDoesNotPollGetsASecond) {
  JoinAll();
  HaveRank0Wait(60);
  h0_->statuses[0].unpolled_nanos = kNanosPerMilli;
  StatusDesk desk = MakeDesk(kNever);
  const int64_t begin = NowNanos();
  desk.SayAtEnd();
  EXPECT_GE(NowNanos() - begin, kLongestWithoutPoll);
  EXPECT_EQ(record0_.Count("ask polls"), 1);
  EXPECT_GT(record0_.Count("ask status"), 3);
}

TEST_F(StatusDeskTest, AtTheEndItSaysNothingOfShortWaits) {
  JoinAll();
  HaveAllPoll();
  RankView rank = PollingJob(1)[0];
  AddWait(rank.status, {.waiting = RoomTo(1), .nanos = kLongWaitNanos / 2});
  h0_->statuses[0] = rank.status;
  StatusDesk desk = MakeDesk(kNever);
  desk.SayAtEnd();
  EXPECT_EQ(Said(), "");
}

TEST_F(StatusDeskTest, AtTheEndTheLastCompleteRoundStandsForASilentHost) {
  JoinAll();
  HaveRank0Wait(60);
  StatusDesk desk = MakeDesk(kNever);
  desk.Ask([](const JobView&) {});
  desk.Expire(desk.deadline());
  h1_->statuses.clear();
  desk.SayAtEnd();
  EXPECT_EQ(Said(), kStall);
}

TEST_F(StatusDeskTest, AtTheEndASilentHostIsBlamedForNothing) {
  JoinAll();
  HaveRank0Wait(60);
  h1_->statuses.clear();
  StatusDesk desk = MakeDesk(kNever);
  desk.SayAtEnd();
  EXPECT_EQ(Said(), "");
}

}  // namespace
}  // namespace gasnet::job
