// Reports of a job's status, for users and for tools.
#ifndef JOB_STATUS_REPORT_H_
#define JOB_STATUS_REPORT_H_

#include <string>
#include <string_view>

#include "job/status/job_status.h"
#include "job/status/status_page.h"

namespace gasnet::job {

// Returns the word for a reason in reports, such as "barrier" or "all ranks".
const char* NameOf(WaitFor what);

// Returns lines, each ended by '\n'. They show the number of ranks in each
// state and the causes of delays.
std::string StatusText(const JobView& job);

// Returns a JSON object with two arrays. "causes" has the lines of a diagnosis,
// and "ranks" has an object for each rank. statistics: the JSON of a further
// member, "statistics"; empty for none.
std::string StatusJson(const JobView& job, std::string_view statistics = {});

}  // namespace gasnet::job

#endif  // JOB_STATUS_REPORT_H_
