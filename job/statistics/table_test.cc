#include "job/statistics/table.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/statistics/job_statistics.h"

namespace gasnet::job {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int64_t kSecond = 1'000'000'000;

std::string TableOf(const JobStatistics& job) {
  return StatisticsTable(job.Summarize(12'300'000'000, {}));
}

size_t Lines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(TableTest, ASmallJob) {
  JobStatistics job(2, {});
  job.Take(
      0,
      {.elapsed = 10 * kSecond,
       .handlers = 17,
       .calls = {{.name = "gasnet_put_bulk",
                  .calls = 1000,
                  .bytes = 1000 << 20,
                  .nanos = kSecond,
                  .waiting = 3 * kSecond},
                 {.name = "gasnet_barrier_wait",
                  .calls = 10,
                  .waiting = kSecond / 2}},
       .waits =
           {{.what = WaitFor::kTransfers, .count = 300, .nanos = 3 * kSecond},
            {.what = WaitFor::kBarrier, .count = 10, .nanos = kSecond / 2}},
       .network = {{"packets_sent", 1000}, {"probes", 0}},
       .peers = {{.peer = 1, .operations = 1000, .bytes = 1000 << 20}},
       .other_operations = 2,
       .other_bytes = 512});
  job.Take(
      1, {.elapsed = 10 * kSecond,
          .handlers = 1'000'000,
          .calls = {{.name = "gasnet_barrier_wait",
                     .calls = 10,
                     .nanos = 3000,
                     .waiting = kSecond}},
          .waits = {{.what = WaitFor::kBarrier, .count = 10, .nanos = kSecond}},
          .network = {{"packets_repeated", 3}, {"packets_sent", 234}},
          .peers = {{.peer = 1, .operations = 1}}});
  EXPECT_EQ(
      TableOf(job),
      "GASNet statistics: 2 ranks, 2 reported; wall time 12.3 s\n"
      "time in GASNet: 27.5 %; waiting there: 22.5 %\n"
      "call                             calls      bytes mean time   of time"
      "   waiting\n"
      "gasnet_put_bulk                   1000   1000 MiB    4.0 ms    20.0 %"
      "    75.0 %\n"
      "gasnet_barrier_wait                 20        0 B   75.0 ms     7.5 %"
      "   100.0 %\n"
      "waited for                       waits            mean time   of time\n"
      "transfers                          300              10.0 ms    15.0 %\n"
      "barrier                             20              75.0 ms     7.5 %\n"
      "busiest pairs               operations      bytes\n"
      "rank 0 with rank 1                1000   1000 MiB\n"
      "rank 1 with rank 1                   1        0 B\n"
      "pairs that are not known             2      512 B\n"
      "all pairs                         1003   1000 MiB\n"
      "handlers run: 1.0 M\n"
      "beneath the calls: packets_repeated 3, packets_sent 1234\n"
      "waiting by rank: least 10.0 % (rank 1), mean 22.5 %, most 35.0 % "
      "(rank 0)\n");
}

TEST(TableTest, RanksThatHaveNotReportedAreCounted) {
  JobStatistics job(4, {});
  EXPECT_EQ(TableOf(job),
            "GASNet statistics: 4 ranks, 0 reported, 4 missing; wall time 12.3 "
            "s\n");
  job.Take(2, {.elapsed = kSecond});
  EXPECT_EQ(TableOf(job),
            "GASNet statistics: 4 ranks, 1 reported, 3 missing; wall time 12.3 "
            "s\n"
            "time in GASNet: 0.0 %; waiting there: 0.0 %\n"
            "all pairs                            0        0 B\n"
            "handlers run: 0\n"
            "waiting by rank: least 0.0 % (rank 2), mean 0.0 %, most 0.0 % "
            "(rank 2)\n");
}

TEST(TableTest, OneRank) {
  EXPECT_THAT(TableOf(JobStatistics(1, {})),
              HasSubstr("statistics: 1 rank, 0 reported, 1 missing;"));
}

TEST(TableTest, NothingIsDividedBy0) {
  JobStatistics job(1, {});
  job.Take(0, {.calls = {{.name = "f"}}, .waits = {{.nanos = 1}}});
  const std::string table = TableOf(job);
  EXPECT_THAT(table, HasSubstr("time in GASNet: -; waiting there: -\n"));
  EXPECT_THAT(table, Not(HasSubstr("nan")));
  EXPECT_THAT(table, Not(HasSubstr("inf")));
}

// Returns a job of one rank with this many calls of 1 ms, named f0, f1, ...
JobStatistics WithCalls(int calls) {
  RankStatistics statistics = {.elapsed = kSecond};
  for (int i = 0; i < calls; ++i) {
    statistics.calls.push_back({.name = absl::StrCat("f", i),
                                .calls = 1,
                                .bytes = 2,
                                .nanos = kSecond / 1000,
                                .waiting = 0});
  }
  JobStatistics job(1, {});
  job.Take(0, statistics);
  return job;
}

TEST(TableTest, CallsBeyondTheBusiestAreOneLine) {
  EXPECT_THAT(TableOf(WithCalls(9)), HasSubstr("\nf8 "));
  EXPECT_THAT(TableOf(WithCalls(9)), Not(HasSubstr("others")));
  const std::string table = TableOf(WithCalls(12));
  EXPECT_EQ(Lines(table), Lines(TableOf(WithCalls(9))));
  EXPECT_THAT(
      table,
      HasSubstr("\n4 others                             4        8 B    1.0 ms"
                "     0.4 %     0.0 %\n"));
}

TEST(TableTest, TheFullestTableIsShort) {
  JobStatistics job(20, {});
  RankStatistics statistics = {.elapsed = kSecond, .other_operations = 1};
  for (int i = 0; i < 100; ++i) {
    statistics.calls.push_back({.name = absl::StrCat("gasnet_function_", i),
                                .calls = ~uint64_t{0},
                                .bytes = ~uint64_t{0},
                                .nanos = std::numeric_limits<int64_t>::max()});
  }
  for (uint32_t what = 0; what <= static_cast<uint32_t>(WaitFor::kLast);
       ++what) {
    statistics.waits.push_back(
        {.what = static_cast<WaitFor>(what), .count = 1});
  }
  for (uint32_t peer = 0; peer < 20; ++peer) {
    statistics.peers.push_back(
        {.peer = peer, .operations = ~uint64_t{0}, .bytes = ~uint64_t{0}});
  }
  job.Take(19, statistics);
  const std::string table = TableOf(job);
  EXPECT_LE(Lines(table), 30u) << table;
}

}  // namespace
}  // namespace gasnet::job
