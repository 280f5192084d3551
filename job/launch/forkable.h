// Checks that gasnet_init may fork this process.
#ifndef JOB_LAUNCH_FORKABLE_H_
#define JOB_LAUNCH_FORKABLE_H_

#include <cstdint>

#include "absl/status/status.h"

namespace gasnet::job {

// Returns the number of this process's threads, or 1 if the kernel does not
// show them. The thread of a sanitizer is not counted, because it survives a
// fork.
int CountThreads();

// Returns an error with a remedy unless the process has only one thread. Other
// threads (such as MPI's progress thread) would be missing in a forked child.
// `ranks` is the size of the job.
absl::Status CheckForkable(int threads, uint32_t ranks);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_FORKABLE_H_
