// The process that supervises a job whose processes a foreign launcher has
// started. The head is a child of rank 0's member, in a session of its own. The
// head waits for the members (job/managed/enrollment.h), runs a Supervisor over
// them, and finally releases them with the job's exit code.
#ifndef JOB_MANAGED_HEAD_H_
#define JOB_MANAGED_HEAD_H_

#include <sys/types.h>

#include <cstdint>

#include "absl/status/statusor.h"
#include "job/managed/head_address.h"

namespace gasnet::job {

// Forks the head, and returns its process id. The head takes over the listener
// of `socket`.
absl::StatusOr<pid_t> StartHead(HeadSocket socket, uint32_t size);

}  // namespace gasnet::job

#endif  // JOB_MANAGED_HEAD_H_
