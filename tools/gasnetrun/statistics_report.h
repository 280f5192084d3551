// Describes a job's statistics for the option --stats.
#ifndef TOOLS_GASNETRUN_STATISTICS_REPORT_H_
#define TOOLS_GASNETRUN_STATISTICS_REPORT_H_

#include <string>

#include "job/launch/job_plan.h"

namespace gasnet::gasnetrun {

// Returns a function that describes a job's statistics as a table, or as a JSON
// object if the status was asked for as JSON. At the end of the job, the
// function also writes a picture to `file`, unless `file` is empty. If it
// cannot write the picture, it appends a line with the reason to the table.
decltype(job::JobPlan::describe_statistics) StatisticsReport(
    const std::string& file);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_STATISTICS_REPORT_H_
