// The statistics of a job as a picture: a self-contained SVG with a matrix and
// bars.
// - The matrix shows the traffic between groups of ranks (rank_groups.h).
//   Its colours are on a logarithmic scale of bytes.
// - Each group has a bar with its shares of time: computing, working in
//   GASNet, and waiting in GASNet.
//
// Cells and bars have titles with the numbers. Viewers show a title under the
// pointer. The picture is readable on light and on dark backgrounds.
#ifndef JOB_STATISTICS_PICTURE_H_
#define JOB_STATISTICS_PICTURE_H_

#include <string>

#include "job/statistics/job_summary.h"

namespace gasnet::job {

// Returns the picture: well-formed XML in ASCII, whatever the names of groups.
std::string StatisticsSvg(const JobSummary& summary);

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_PICTURE_H_
