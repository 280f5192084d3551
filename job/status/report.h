// The status of a job, for a person and for tools.
#ifndef JOB_STATUS_REPORT_H_
#define JOB_STATUS_REPORT_H_

#include <string>

#include "job/status/job_status.h"

namespace gasnet::job {

// Returns lines, each ended: how many ranks do what, and what holds them up.
std::string StatusText(const JobView& job);

// Returns one object: "causes", an array of the lines of a diagnosis, and
// "ranks", an object for each rank.
std::string StatusJson(const JobView& job);

}  // namespace gasnet::job

#endif  // JOB_STATUS_REPORT_H_
