// A failure of gasnet_init or gasnet_attach that all ranks share, even if only
// one of them failed. One rank reports the failure, once. The other ranks wait
// for the report, because the job may end as soon as one rank ends. After the
// report, the status is kAborted. No rank reports a kAborted status again.
#ifndef JOB_SHARED_FAILURE_H_
#define JOB_SHARED_FAILURE_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "job/job.h"

namespace gasnet::job {

// Reports a failure that all ranks have in common. Collective: all ranks pass
// the same failure, and rank 0 reports it.
absl::Status ReportOnce(Job& job, const char* call, const absl::Status& why);

// Reports the failure of rank `first`, the lowest failed rank. Collective: all
// ranks pass the same `first`, and each rank its own status. Rank `first`
// prints its status. The other ranks get a status that names `first` and
// `what`, a text such as "could not open a socket".
absl::Status ReportFirst(Job& job, const char* call, uint32_t first,
                         const absl::Status& mine, std::string_view what);

// Shares the outcomes after each rank has performed a step of its own.
// Collective. Returns OK if all ranks succeeded. If not, acts like ReportFirst
// for the lowest failed rank.
absl::Status ShareOutcome(Job& job, const char* call, const absl::Status& mine,
                          std::string_view what);

}  // namespace gasnet::job

#endif  // JOB_SHARED_FAILURE_H_
