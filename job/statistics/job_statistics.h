// Collects the statistics of the ranks of a job, and sums them. Keeps only the
// parts that a summary needs. So its memory grows with the number of ranks, not
// with the number of peers of each rank. Used by one thread.
#ifndef JOB_STATISTICS_JOB_STATISTICS_H_
#define JOB_STATISTICS_JOB_STATISTICS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "job/statistics/job_summary.h"
#include "job/statistics/rank_groups.h"
#include "job/statistics/rank_statistics.h"

namespace gasnet::job {

class JobStatistics {
 public:
  // host_of: the host of each rank, as in RankGroups.
  JobStatistics(uint32_t ranks, std::vector<uint32_t> host_of);

  // Takes the statistics of a rank, in place of earlier ones of this rank. If
  // they name a peer that is no rank of the job, takes nothing and returns
  // false.
  bool Take(uint32_t rank, const RankStatistics& statistics);

  // Returns the summary. wall: the time of the job in nanoseconds. hosts: the
  // names of the hosts, for the names of groups.
  JobSummary Summarize(int64_t wall,
                       const std::vector<std::string>& hosts) const;

 private:
  struct Entry {
    Times times;
    uint64_t handlers = 0;
    std::vector<CallStatistics> calls;
    std::vector<WaitStatistics> waits;
    std::vector<NetworkStatistics> network;
    Traffic unknown;
    std::vector<Traffic> with;         // Indexed by group of the peer.
    std::vector<PairTraffic> busiest;  // like JobSummary::busiest
  };

  void AddTraffic(uint32_t rank, const RankStatistics& statistics,
                  Entry& entry) const;

  const RankGroups groups_;
  std::vector<std::unique_ptr<Entry>> entries_;  // Null: has not reported.
};

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_JOB_STATISTICS_H_
