// A job of ranks that are forked from this process (GASNET_PSHM_NODES).
#ifndef JOB_FORK_RANKS_H_
#define JOB_FORK_RANKS_H_

#include <optional>

#include "base/status.h"
#include "job/handoff.h"

namespace gasnet::job {

// Forks GASNET_PSHM_NODES ranks and answers, in each of them, what it inherits.
// The original process supervises them and ends with the job's code. Nothing if
// the variable is not set.
StatusOr<std::optional<Handoff>> ForkRanks();

}  // namespace gasnet::job

#endif  // JOB_FORK_RANKS_H_
