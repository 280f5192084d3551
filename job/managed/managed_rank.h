// A rank of a job whose processes a foreign launcher has started
// (job/managed/pmi/process_manager.h).
#ifndef JOB_MANAGED_MANAGED_RANK_H_
#define JOB_MANAGED_MANAGED_RANK_H_

#include <optional>

#include "absl/status/statusor.h"
#include "job/wire/handoff.h"

namespace gasnet::job {

// Forks a rank if a foreign launcher has started this process. Returns the
// rank's Handoff in the rank. The original process does not return. It ends
// with the job's exit code. The head supervises the job, as a child of rank 0's
// original process. It also ends with the job's exit code. Returns nothing
// without a foreign launcher, or if the job has one process.
absl::StatusOr<std::optional<Handoff>> ForkManagedRank();

}  // namespace gasnet::job

#endif  // JOB_MANAGED_MANAGED_RANK_H_
