// Collects the statistics of the ranks of a job, and sums them. It keeps of
// each rank only the parts that a summary needs, so its memory is bounded by
// the number of ranks, whatever their number of peers. One thread.
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
  // host_of: as in RankGroups.
  JobStatistics(uint32_t ranks, std::vector<uint32_t> host_of);

  // Takes the statistics of a rank of the job, in place of earlier ones. Takes
  // nothing, and returns false, if they name a peer that is no rank of the job.
  bool Take(uint32_t rank, const RankStatistics& statistics);

  // wall: the time of the job. hosts: the names of the hosts, for groups.
  JobSummary Summarize(int64_t wall,
                       const std::vector<std::string>& hosts) const;

 private:
  struct Entry {
    Times times;
    uint64_t handlers = 0;
    std::vector<CallStatistics> calls;
    std::vector<WaitStatistics> waits;
    Traffic unknown;
    std::vector<Traffic> with;         // indexed by group
    std::vector<PairTraffic> busiest;  // like JobSummary's
  };

  void AddTraffic(uint32_t rank, const RankStatistics& statistics,
                  Entry& entry) const;

  const RankGroups groups_;
  std::vector<std::unique_ptr<Entry>> entries_;  // null: has not reported
};

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_JOB_STATISTICS_H_
