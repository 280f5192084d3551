// For tests: a rank that sends statistics whose sums are easy to predict.
#ifndef JOB_TESTING_SAMPLE_STATISTICS_H_
#define JOB_TESTING_SAMPLE_STATISTICS_H_

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "job/job.h"
#include "job/statistics/rank_statistics.h"

namespace gasnet::job {

// Returns the statistics of a rank that ran for one second. The rank sent (rank
// + 1) KiB to the next rank, and waited for (rank + 1) tenths of a second.
inline RankStatistics SampleStatistics(uint32_t rank, uint32_t size) {
  const int64_t waiting = (rank + 1) * kNanosPerSecond / 10;
  const uint64_t bytes = (rank + 1) * uint64_t{1024};
  return {
      .elapsed = kNanosPerSecond,
      .handlers = 10,
      .calls = {{.name = "gasnet_put",
                 .calls = 4,
                 .bytes = bytes,
                 .nanos = kNanosPerSecond / 10,
                 .waiting = waiting}},
      .waits = {{.what = WaitFor::kBarrier, .count = 2, .nanos = waiting}},
      .peers = {{.peer = (rank + 1) % size, .operations = 4, .bytes = bytes}}};
}

// Sends sample statistics if the launcher wants statistics. If `how` is
// "large", adds a separate entry for each of many operations with rank 0. An
// encoding cannot hold that many entries.
inline void SendSample(Job& job, std::string_view how) {
  if (!job.WantsStatistics()) return;
  RankStatistics statistics = SampleStatistics(job.rank(), job.size());
  constexpr int kOperations = 20'000;
  for (int i = 0; how == "large" && i < kOperations; ++i) {
    statistics.peers.push_back({.peer = 0, .operations = 1});
  }
  job.SendStatistics(Encode(statistics));
}

}  // namespace gasnet::job

#endif  // JOB_TESTING_SAMPLE_STATISTICS_H_
