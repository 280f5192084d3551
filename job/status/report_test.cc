// Tests the status of a job in words and as JSON.
#include "job/status/report.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/status/job_status.h"
#include "job/status/testing/job_view.h"

namespace gasnet::job {
namespace {

using testing::HasSubstr;

TEST(RankListTest, NamesRunsByTheirEnds) {
  EXPECT_EQ(RankList({}), "");
  EXPECT_EQ(RankList({7}), "7");
  EXPECT_EQ(RankList({7, 9}), "7 and 9");
  EXPECT_EQ(RankList({0, 1}), "0-1");
  EXPECT_EQ(RankList({0, 2, 3, 4}), "0 and 2-4");
  EXPECT_EQ(RankList({1, 3, 4, 5, 9}), "1, 3-5 and 9");
  EXPECT_EQ(RankList({1, 2, 4, 5, 65534}), "1-2, 4-5 and 65534");
}

TEST(RankNamesTest, OneRankHasItsNameAndSeveralHaveNumbers) {
  const JobView job = PollingJob(4);
  EXPECT_EQ(RankNames(job, {2}), "rank 2 (h, pid 102)");
  EXPECT_EQ(RankNames(job, {0, 2, 3}), "ranks 0 and 2-3");
}

TEST(DurationTest, HasATenthOfASecondBelowTen) {
  EXPECT_EQ(Duration(0), "0.0 s");
  EXPECT_EQ(Duration(300 * kNanosPerMilli), "0.3 s");
  EXPECT_EQ(Duration(9900 * kNanosPerMilli), "9.9 s");
  EXPECT_EQ(Duration(10 * kNanosPerSecond), "10 s");
  EXPECT_EQ(Duration(41'200 * kNanosPerMilli), "41 s");
  EXPECT_EQ(Duration(100'000 * kNanosPerSecond), "100000 s");
}

TEST(StatusTextTest, CountsRanksByWhatTheyDo) {
  JobView job = PollingJob(9);
  Wait(job[0], RoomTo(8), 5);
  Wait(job[1], RoomTo(8), 6);
  Compute(job[2], 7);
  job[3].phase = RankView::Phase::kEnded;
  job[4].phase = RankView::Phase::kLeft;
  job[5].phase = RankView::Phase::kNotJoined;
  job[6].status.has_page = false;
  // The stopped rank waits, and serves no other rank.
  Wait(job[7], {.what = WaitFor::kRoom, .peer = 8}, 1);
  job[7].status.process = 'T';
  EXPECT_EQ(StatusText(job),
            "9 ranks: 2 waiting in GASNet, 6 not serving it, 1 polling\n"
            "ranks 0-1 and 7 have waited for 6.0 s for room to send to rank 8; "
            "rank 8 (h, pid 108) polls\n");
}

TEST(StatusTextTest, IsALineForARankAlone) {
  EXPECT_EQ(StatusText(PollingJob(1)),
            "1 rank: 0 waiting in GASNet, 0 not serving it, 1 polling\n");
}

TEST(StatusTextTest, HasWaitsOfAnyLength) {
  JobView job = PollingJob(2);
  Wait(job[0], RoomTo(1), 0);
  EXPECT_THAT(StatusText(job), HasSubstr("\nrank 0 (h, pid 100) has waited"));
  EXPECT_THAT(StatusJson(job), HasSubstr("\"rank 0 (h, pid 100) has waited"));
}

TEST(StatusJsonTest, HasAllThatIsKnown) {
  JobView job = PollingJob(2);
  Wait(job[0], RoomTo(1), 5);
  Wait(job[0], {.what = WaitFor::kCondition}, 3);
  job[0].status.waits[0].thread = 42;
  job[0].status.waits[1].thread = 43;
  job[0].status.further_waits = 2;
  job[0].status.barriers = 9;
  Compute(job[1], 7);
  std::string expected =
      "{'causes': ['rank 0 (h, pid 100) has waited for 5.0 s for room to send "
      "to rank 1; rank 1 (h, pid 101) has not polled for at least 7.0 s, and "
      "is running',\n  'rank 0 (h, pid 100) has waited for 3.0 s in "
      "GASNET_BLOCKUNTIL, perhaps for rank 1 (h, pid 101), which has not "
      "polled for at least 7.0 s, and is running'],\n"
      " 'ranks': [{'rank': 0, 'name': 'rank 0 (h, pid 100)', 'phase': "
      "'joined', 'process': 'S', 'unpolled_seconds': 0.000, 'barriers': 9, "
      "'condition': 'waits for room to send to rank 1', 'waits': [{'for': "
      "'room', 'text': 'for room to send to rank 1', 'seconds': 5.000, "
      "'thread': 42, 'peer': 1}, {'for': 'condition', 'text': 'in "
      "GASNET_BLOCKUNTIL', 'seconds': 3.000, 'thread': 43}], "
      "'further_waits': 2},\n  {'rank': 1, 'name': 'rank 1 (h, pid 101)', "
      "'phase': 'joined', 'process': 'R', 'unpolled_seconds': 7.000, "
      "'barriers': 0, 'condition': 'has not polled for at least 7.0 s, and is "
      "running', 'waits': [], 'further_waits': 0}]}\n";
  std::replace(expected.begin(), expected.end(), '\'', '"');
  EXPECT_EQ(StatusJson(job), expected);
}

TEST(StatusJsonTest, NamesPhases) {
  JobView job = PollingJob(4);
  job[1].phase = RankView::Phase::kNotJoined;
  job[2].phase = RankView::Phase::kLeft;
  job[3].phase = RankView::Phase::kEnded;
  const std::string json = StatusJson(job);
  size_t at = 0;
  for (const char* name : {"joined", "not joined", "left", "ended"}) {
    at = json.find("\"phase\": \"" + std::string(name) + "\"", at);
    ASSERT_NE(at, std::string::npos) << name;
  }
}

TEST(StatusJsonTest, NamesReasons) {
  const struct {
    WaitFor what;
    const char* name;
  } reasons[] = {{WaitFor::kAnything, "anything"},
                 {WaitFor::kCondition, "condition"},
                 {WaitFor::kRoom, "room"},
                 {WaitFor::kBarrier, "barrier"},
                 {WaitFor::kCollective, "collective"},
                 {WaitFor::kTransfers, "transfers"},
                 {WaitFor::kAllRanks, "all ranks"}};
  for (const auto& reason : reasons) {
    JobView job = PollingJob(1);
    Wait(job[0], {.what = reason.what}, 1);
    EXPECT_THAT(StatusJson(job),
                HasSubstr("{\"for\": \"" + std::string(reason.name) + "\""));
  }
}

TEST(StatusJsonTest, QuotesAnyName) {
  JobView job = PollingJob(2);
  job[1].name = "a \"b\" \\c\n\x01\x1f /\x7f\xff";
  Wait(job[0], RoomTo(1), 5);
  const std::string quoted = R"(a \"b\" \\c\u000a\u0001\u001f /\ufffd\ufffd)";
  const std::string json = StatusJson(job);
  EXPECT_THAT(json, HasSubstr("\"name\": \"" + quoted + "\","));
  EXPECT_THAT(json, HasSubstr("; " + quoted + " polls\"]"));
}

}  // namespace
}  // namespace gasnet::job
