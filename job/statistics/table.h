// The statistics of a job as a table for a terminal.
#ifndef JOB_STATISTICS_TABLE_H_
#define JOB_STATISTICS_TABLE_H_

#include <string>

#include "job/statistics/job_summary.h"

namespace gasnet::job {

// Returns about twenty lines, each ended by '\n'. A line has at most 80
// columns, or more if names of functions are long. The lines show, in this
// order:
// - the ranks that have reported
// - the busiest calls
// - the reasons of waits
// - traffic
// - the busiest pairs
// - the ranks that wait least and most
//
// If no rank has reported, returns only the line about the ranks that have
// reported.
std::string StatisticsTable(const JobSummary& summary);

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_TABLE_H_
