// The statistics of a job as a picture: a self-contained SVG. It has a matrix
// of the traffic between groups of ranks (rank_groups.h), whose colours are on
// a logarithmic scale of bytes, and a bar for each group with its shares of
// time: computing, in GASNet, waiting there. Cells and bars have titles with
// the numbers, which viewers show under the pointer. It is readable on light
// and on dark backgrounds.
#ifndef JOB_STATISTICS_PICTURE_H_
#define JOB_STATISTICS_PICTURE_H_

#include <string>

#include "job/statistics/job_summary.h"

namespace gasnet::job {

// Returns the picture: well-formed XML in ASCII, whatever the names of groups.
std::string StatisticsSvg(const JobSummary& summary);

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_PICTURE_H_
