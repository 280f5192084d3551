// A rank of a job whose processes a launcher that is not ours has started
// (job/managed/pmi/process_manager.h).
#ifndef JOB_MANAGED_MANAGED_RANK_H_
#define JOB_MANAGED_MANAGED_RANK_H_

#include <optional>

#include "absl/status/statusor.h"
#include "job/wire/handoff.h"

namespace gasnet::job {

// Where such a launcher has: forks the rank, and answers there what it
// inherits. The original process, and a child of rank 0's that supervises the
// job, end with the job's code. Nothing where there is none, or a job of one.
absl::StatusOr<std::optional<Handoff>> ForkManagedRank();

}  // namespace gasnet::job

#endif  // JOB_MANAGED_MANAGED_RANK_H_
