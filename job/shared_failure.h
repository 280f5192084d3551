// A failure of gasnet_init or gasnet_attach that all ranks share, whichever of
// them it is of. One rank reports it, once. The others wait until it has: the
// first rank that ends because of it may end the job. From then on the status
// is kAborted, and nobody reports it again.
#ifndef JOB_SHARED_FAILURE_H_
#define JOB_SHARED_FAILURE_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "job/job.h"

namespace gasnet::job {

// Collective: all ranks know the same. Rank 0 reports it.
absl::Status ReportOnce(Job& job, const char* call, const absl::Status& why);

// Collective: all ranks know that `first` is the lowest of those that failed,
// and each how it fared itself. `first` reports it. what: "could not open a
// socket".
absl::Status ReportFirst(Job& job, const char* call, uint32_t first,
                         const absl::Status& mine, std::string_view what);

// Collective, after each rank has done something of its own: OK where all
// could, or as ReportFirst.
absl::Status ShareOutcome(Job& job, const char* call, const absl::Status& mine,
                          std::string_view what);

}  // namespace gasnet::job

#endif  // JOB_SHARED_FAILURE_H_
