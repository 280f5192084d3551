#include "job/statistics/job_statistics.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "job/statistics/rank_statistics.h"

namespace gasnet::job {
namespace {

constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max();
constexpr uint64_t kMaxCount = std::numeric_limits<uint64_t>::max();

JobSummary Summarize(const JobStatistics& statistics) {
  return statistics.Summarize(/*wall=*/7, {});
}

TEST(JobStatisticsTest, SumsOverTheRanksThatHaveReported) {
  JobStatistics job(3, {});
  EXPECT_TRUE(job.Take(
      0,
      {.elapsed = 100,
       .handlers = 1,
       .calls =
           {{.name = "get", .calls = 2, .bytes = 3, .nanos = 4, .waiting = 5},
            {.name = "put", .nanos = 20}},
       .waits = {{.what = WaitFor::kRoom, .nanos = 1},
                 {.what = WaitFor::kBarrier, .count = 6, .nanos = 7}},
       .network = {{"probes", 1}, {"packets_sent", 2}},
       .other_operations = 8,
       .other_bytes = 9}));
  EXPECT_TRUE(job.Take(
      2, {.elapsed = 1000,
          .handlers = 10,
          .calls = {{.name = "get",
                     .calls = 20,
                     .bytes = 30,
                     .nanos = 40,
                     .waiting = 50}},
          .waits = {{.what = WaitFor::kBarrier, .count = 60, .nanos = 70}},
          .network = {{"packets_sent", 20}, {"time_outs", 30}}}));
  const JobSummary summary = Summarize(job);
  EXPECT_EQ(summary.ranks, 3u);
  EXPECT_EQ(summary.reported, 2u);
  EXPECT_EQ(summary.wall, 7);
  EXPECT_EQ(summary.times,
            (Times{.elapsed = 1100, .working = 64, .waiting = 55}));
  EXPECT_EQ(summary.handlers, 11u);
  EXPECT_EQ(
      summary.calls,
      (std::vector<CallStatistics>{
          {.name = "get", .calls = 22, .bytes = 33, .nanos = 44, .waiting = 55},
          {.name = "put", .nanos = 20}}));
  EXPECT_EQ(summary.waits,
            (std::vector<WaitStatistics>{
                {.what = WaitFor::kBarrier, .count = 66, .nanos = 77},
                {.what = WaitFor::kRoom, .nanos = 1}}));
  EXPECT_EQ(summary.network,
            (std::vector<NetworkStatistics>{
                {"packets_sent", 22}, {"probes", 1}, {"time_outs", 30}}));
  EXPECT_EQ(summary.unknown, (Traffic{8, 9}));
  EXPECT_EQ(summary.traffic, (Traffic{8, 9}));
  EXPECT_TRUE(summary.busiest.empty());
}

TEST(JobStatisticsTest, CallsAreInTheOrderOfAllTheirTime) {
  JobStatistics job(1, {});
  job.Take(0, {.calls = {{.name = "a", .nanos = 5},
                         {.name = "b", .nanos = 1, .waiting = 6},
                         {.name = "c", .waiting = 5}}});
  const JobSummary summary = Summarize(job);
  ASSERT_EQ(summary.calls.size(), 3u);
  EXPECT_EQ(summary.calls[0].name, "b");
  EXPECT_EQ(summary.calls[1].name, "a");
  EXPECT_EQ(summary.calls[2].name, "c");
}

TEST(JobStatisticsTest, TheLastReportOfARankCounts) {
  JobStatistics job(2, {});
  job.Take(1, {.elapsed = 5,
               .calls = {{.name = "f", .nanos = 3}},
               .peers = {{.peer = 0, .operations = 1, .bytes = 100}}});
  job.Take(1,
           {.elapsed = 6, .peers = {{.peer = 1, .operations = 2, .bytes = 3}}});
  const JobSummary summary = Summarize(job);
  EXPECT_EQ(summary.reported, 1u);
  EXPECT_EQ(summary.times, Times{.elapsed = 6});
  EXPECT_TRUE(summary.calls.empty());
  EXPECT_EQ(summary.busiest,
            (std::vector<PairTraffic>{{1, 1, {.operations = 2, .bytes = 3}}}));
}

TEST(JobStatisticsTest, ARankWithAPeerOutsideOfTheJobIsNotTaken) {
  JobStatistics job(2, {});
  job.Take(0, {.elapsed = 5});
  for (const uint32_t peer : {2u, ~0u}) {
    EXPECT_FALSE(job.Take(0, {.elapsed = 9, .peers = {{.peer = peer}}}));
  }
  EXPECT_TRUE(job.Take(1, {.peers = {{.peer = 1}}}));
  EXPECT_EQ(Summarize(job).times.elapsed, 5) << "the earlier report is kept";
  EXPECT_EQ(Summarize(job).reported, 2u);
}

TEST(JobStatisticsTest, TheBusiestPairsAreFoundAcrossRanks) {
  JobStatistics job(10, {});
  for (uint32_t rank = 0; rank < 10; ++rank) {
    RankStatistics statistics;
    for (uint32_t peer = 0; peer < 10; ++peer) {
      statistics.peers.push_back(
          {.peer = peer, .operations = 1, .bytes = 10 * peer + rank});
    }
    job.Take(rank, statistics);
  }
  job.Take(4, {.peers = {{.peer = 9, .operations = 1, .bytes = 99},
                         {.peer = 3, .operations = 2, .bytes = 99}}});
  const JobSummary summary = Summarize(job);
  EXPECT_EQ(summary.busiest, (std::vector<PairTraffic>{{4, 3, {2, 99}},
                                                       {4, 9, {1, 99}},
                                                       {9, 9, {1, 99}},
                                                       {8, 9, {1, 98}},
                                                       {7, 9, {1, 97}}}));
  EXPECT_EQ(summary.traffic.operations, 9 * 10 + 3u);
}

TEST(JobStatisticsTest, GroupsHaveTheirRanksAndTheTrafficBetweenThem) {
  // Ranks 0 to 39 are on the first host, ranks 40 to 79 on the second.
  std::vector<uint32_t> host_of(80, 0);
  for (uint32_t rank = 40; rank < 80; ++rank) host_of[rank] = 1;
  JobStatistics job(80, host_of);
  job.Take(3, {.elapsed = 10,
               .calls = {{.name = "f", .nanos = 1, .waiting = 2}},
               .peers = {{.peer = 39, .operations = 1, .bytes = 2},
                         {.peer = 40, .operations = 3, .bytes = 4},
                         {.peer = 79, .operations = 5, .bytes = 6}}});
  job.Take(
      4, {.elapsed = 10, .peers = {{.peer = 0, .operations = 7, .bytes = 8}}});
  job.Take(50, {.elapsed = 7});
  const JobSummary summary = job.Summarize(0, {"a", "b"});
  ASSERT_EQ(summary.groups.size(), 2u);
  EXPECT_EQ(summary.groups[0].name, "host a");
  EXPECT_EQ(summary.groups[0].ranks, 40u);
  EXPECT_EQ(summary.groups[0].reported, 2u);
  EXPECT_EQ(summary.groups[0].times,
            (Times{.elapsed = 20, .working = 1, .waiting = 2}));
  EXPECT_EQ(summary.groups[0].with, (std::vector<Traffic>{{8, 10}, {8, 10}}));
  EXPECT_EQ(summary.groups[1].name, "host b");
  EXPECT_EQ(summary.groups[1].ranks, 40u);
  EXPECT_EQ(summary.groups[1].reported, 1u);
  EXPECT_EQ(summary.groups[1].times, Times{.elapsed = 7});
  EXPECT_EQ(summary.groups[1].with, (std::vector<Traffic>(2)));
}

// Returns the statistics of a rank that has waited for `percent` of its time.
RankStatistics Waited(int64_t percent) {
  return {.elapsed = 1000,
          .calls = {{.name = "f", .nanos = 5, .waiting = 10 * percent}}};
}

TEST(JobStatisticsTest, TheRanksThatWaitLeastAndMostAreNamed) {
  JobStatistics job(6, {});
  job.Take(1, Waited(40));
  job.Take(2, Waited(10));
  job.Take(3, Waited(10));
  job.Take(5, Waited(40));
  const JobSummary summary = Summarize(job);
  EXPECT_EQ(summary.least.rank, 2u);
  EXPECT_DOUBLE_EQ(summary.least.share, 0.1);
  EXPECT_EQ(summary.most.rank, 1u);
  EXPECT_DOUBLE_EQ(summary.most.share, 0.4);
  EXPECT_DOUBLE_EQ(summary.mean_share, 0.25);
}

TEST(JobStatisticsTest, SumsDoNotOverflow) {
  JobStatistics job(2, {});
  const RankStatistics most = {
      .elapsed = kMaxTime,
      .handlers = kMaxCount,
      .calls = {{"f", kMaxCount, kMaxCount, kMaxTime, kMaxTime},
                {"g", kMaxCount, kMaxCount, kMaxTime, kMaxTime}},
      .waits = {{WaitFor::kRoom, kMaxCount, kMaxTime}},
      .network = {{"probes", kMaxCount}},
      .peers = {{0, kMaxCount, kMaxCount}, {1, kMaxCount, kMaxCount}},
      .other_operations = kMaxCount,
      .other_bytes = kMaxCount};
  job.Take(0, most);
  job.Take(1, most);
  const JobSummary summary = Summarize(job);
  EXPECT_EQ(summary.times, (Times{kMaxTime, kMaxTime, kMaxTime}));
  EXPECT_EQ(summary.times.Computing(), 0);
  EXPECT_EQ(summary.handlers, kMaxCount);
  EXPECT_EQ(summary.calls, most.calls);
  EXPECT_EQ(summary.waits, most.waits);
  EXPECT_EQ(summary.network, most.network);
  EXPECT_EQ(summary.traffic, (Traffic{kMaxCount, kMaxCount}));
  EXPECT_EQ(summary.unknown, (Traffic{kMaxCount, kMaxCount}));
}

TEST(JobStatisticsTest, AJobWithoutReportsHasNone) {
  const JobSummary summary = Summarize(JobStatistics(2, {}));
  EXPECT_EQ(summary.ranks, 2u);
  EXPECT_EQ(summary.reported, 0u);
  EXPECT_EQ(summary.times, Times());
  EXPECT_DOUBLE_EQ(summary.mean_share, 0);
  EXPECT_EQ(summary.groups.size(), 2u);
}

}  // namespace
}  // namespace gasnet::job
