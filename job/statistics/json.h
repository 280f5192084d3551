// The statistics of a job as JSON, for tools.
#ifndef JOB_STATISTICS_JSON_H_
#define JOB_STATISTICS_JSON_H_

#include <string>

#include "job/statistics/job_summary.h"

namespace gasnet::job {

// Returns a JSON object with sums over the ranks that have reported:
// - "ranks", "reported" and "wall_seconds"
// - times of all ranks together: "seconds" in GASNet without waits,
//   "waiting_seconds", "elapsed_seconds"
// - "handlers"
// - the arrays "calls", "waits" and "busiest"
// - the traffic of all pairs
// - the ranks that wait least and most, with the share of waits in their time
std::string StatisticsJson(const JobSummary& summary);

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_JSON_H_
