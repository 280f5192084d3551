// A job of ranks that are forked from this process (GASNET_PSHM_NODES).
#ifndef JOB_LAUNCH_FORK_RANKS_H_
#define JOB_LAUNCH_FORK_RANKS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "job/wire/handoff.h"

namespace gasnet::job {

// Forks GASNET_PSHM_NODES ranks. Returns the Handoff in each rank. The original
// process supervises the ranks and ends with the job's code. Returns nothing if
// GASNET_PSHM_NODES is not set.
absl::StatusOr<std::optional<Handoff>> ForkRanks();

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_FORK_RANKS_H_
