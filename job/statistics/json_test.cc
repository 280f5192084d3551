#include "job/statistics/json.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "job/statistics/job_statistics.h"

namespace gasnet::job {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(StatisticsJsonTest, HasTheSumsOverTheJob) {
  JobStatistics job(3, {});
  job.Take(
      0,
      {.elapsed = 10 * kSecond,
       .handlers = 17,
       .calls = {{.name = "gasnet_put_bulk",
                  .calls = 1000,
                  .bytes = 4096,
                  .nanos = kSecond,
                  .waiting = 3 * kSecond},
                 {.name = "gasnet_barrier_wait",
                  .calls = 10,
                  .waiting = kSecond / 2}},
       .waits =
           {{.what = WaitFor::kTransfers, .count = 300, .nanos = 3 * kSecond},
            {.what = WaitFor::kAllRanks, .count = 10, .nanos = kSecond / 2}},
       .network = {{"packets_sent", 5}, {"probes", 0}},
       .peers = {{.peer = 1, .operations = 1000, .bytes = 4096},
                 {.peer = 2, .operations = 1}}});
  job.Take(1, {.elapsed = 10 * kSecond, .handlers = 3});
  EXPECT_EQ(
      StatisticsJson(job.Summarize(12 * kSecond, {})),
      "{\"ranks\": 3, \"reported\": 2, \"wall_seconds\": 12.000000, "
      "\"seconds\": 1.000000, \"waiting_seconds\": 3.500000, "
      "\"elapsed_seconds\": 20.000000, \"handlers\": 20,\n"
      "  \"calls\": [{\"name\": \"gasnet_put_bulk\", \"calls\": 1000, "
      "\"bytes\": 4096, \"seconds\": 1.000000, \"waiting_seconds\": 3.000000}, "
      "{\"name\": \"gasnet_barrier_wait\", \"calls\": 10, \"bytes\": 0, "
      "\"seconds\": 0.000000, \"waiting_seconds\": 0.500000}],\n"
      "  \"waits\": [{\"for\": \"transfers\", \"waits\": 300, \"seconds\": "
      "3.000000}, {\"for\": \"all ranks\", \"waits\": 10, \"seconds\": "
      "0.500000}],\n"
      "  \"network\": {\"packets_sent\": 5, \"probes\": 0},\n"
      "  \"busiest\": [{\"rank\": 0, \"peer\": 1, \"operations\": 1000, "
      "\"bytes\": 4096}, {\"rank\": 0, \"peer\": 2, \"operations\": 1, "
      "\"bytes\": 0}],\n"
      "  \"operations\": 1001, \"bytes\": 4096, "
      "\"waits_least\": {\"rank\": 1, \"share\": 0.000000}, "
      "\"waits_most\": {\"rank\": 0, \"share\": 0.350000}}");
}

TEST(StatisticsJsonTest, OfAJobThatHasNotReported) {
  const std::string json =
      StatisticsJson(JobStatistics(2, {}).Summarize(kSecond, {}));
  EXPECT_NE(json.find("\"reported\": 0"), std::string::npos);
  EXPECT_NE(json.find("\"calls\": []"), std::string::npos);
  EXPECT_NE(json.find("\"network\": {}"), std::string::npos);
}

}  // namespace
}  // namespace gasnet::job
