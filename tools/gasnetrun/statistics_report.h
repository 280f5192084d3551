// Describes a job's statistics, as --stats asks for.
#ifndef TOOLS_GASNETRUN_STATISTICS_REPORT_H_
#define TOOLS_GASNETRUN_STATISTICS_REPORT_H_

#include <functional>
#include <string>

#include "job/statistics/job_summary.h"

namespace gasnet::gasnetrun {

// Returns a function that returns the table of a job. Unless `file` is empty,
// the function also writes a picture there. If it cannot, it appends a line
// with the reason to the table.
std::function<std::string(const job::JobSummary&)> StatisticsReport(
    const std::string& file);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_STATISTICS_REPORT_H_
