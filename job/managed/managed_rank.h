// A rank of a job whose processes a foreign launcher has started
// (job/managed/pmi/process_manager.h).
#ifndef JOB_MANAGED_MANAGED_RANK_H_
#define JOB_MANAGED_MANAGED_RANK_H_

#include <optional>

#include "absl/status/statusor.h"
#include "job/wire/handoff.h"

namespace gasnet::job {

// If a foreign launcher has started this process, forks the rank, and returns
// its Handoff in the rank. The original process, and the child of rank 0's
// process that supervises the job, end with the job's code. Returns nothing if
// there is no such launcher, or the job has one process.
absl::StatusOr<std::optional<Handoff>> ForkManagedRank();

}  // namespace gasnet::job

#endif  // JOB_MANAGED_MANAGED_RANK_H_
