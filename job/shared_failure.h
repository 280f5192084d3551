// A failure of gasnet_init or gasnet_attach that all ranks share, even if only
// one of them failed. One rank reports it, once. The others wait for the
// report, since the first rank that ends because of it may end the job. From
// then on the status is kAborted, which no rank reports again.
#ifndef JOB_SHARED_FAILURE_H_
#define JOB_SHARED_FAILURE_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "job/job.h"

namespace gasnet::job {

// Collective: all ranks pass the same failure. Rank 0 reports it.
absl::Status ReportOnce(Job& job, const char* call, const absl::Status& why);

// Collective: all ranks pass the same `first`, the lowest failed rank, and each
// its own status. Rank `first` reports the failure. `what` is a text such as
// "could not open a socket".
absl::Status ReportFirst(Job& job, const char* call, uint32_t first,
                         const absl::Status& mine, std::string_view what);

// Collective, after each rank has performed a step of its own. Returns OK if
// all succeeded; otherwise acts like ReportFirst.
absl::Status ShareOutcome(Job& job, const char* call, const absl::Status& mine,
                          std::string_view what);

}  // namespace gasnet::job

#endif  // JOB_SHARED_FAILURE_H_
