// A process that gasnet_init may fork.
#ifndef JOB_LAUNCH_FORKABLE_H_
#define JOB_LAUNCH_FORKABLE_H_

#include <cstdint>

#include "absl/status/status.h"

namespace gasnet::job {

// Returns the number of this process's threads, or 1 where the kernel does not
// show them. A sanitizer's own does not count: it lives through a fork.
int CountThreads();

// Returns an error that says what to do unless the process has one thread. A
// child would lack the others, and what they do (MPI's progress, for example)
// would never be done there. `ranks` is the size of the job.
absl::Status CheckForkable(int threads, uint32_t ranks);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_FORKABLE_H_
