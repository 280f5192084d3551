// The limit on open descriptors. A launcher needs several descriptors for each
// rank.
#ifndef JOB_LAUNCH_OPEN_FILES_H_
#define JOB_LAUNCH_OPEN_FILES_H_

#include <sys/resource.h>

#include <cstdint>

#include "absl/status/status.h"

namespace gasnet::job {

// Raises the soft limit as far as `ranks` ranks need. Returns an error with the
// numbers if the hard limit is too low. Sets `before` to the previous limit.
// Started ranks should get this previous limit.
absl::Status ReserveOpenFiles(uint32_t ranks, rlimit& before);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OPEN_FILES_H_
