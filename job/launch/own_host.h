// The host that a process is on, for processes that somebody else has placed.
#ifndef JOB_LAUNCH_OWN_HOST_H_
#define JOB_LAUNCH_OWN_HOST_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::job {

// The same in two processes exactly if they run on one kernel and see each
// other in /proc, as all do that share memory: this boot, and the namespace of
// process ids. Processes in containers of their own are on different hosts.
std::string OwnHostIdentity();

std::string OwnHostName();

// The file that process `pid` of this host has open as `fd`, which must be
// memory that CreateHostMemory has made for the same user. The kernel sees to
// it that only processes that may inspect that one can do this.
absl::StatusOr<UniqueFd> OpenMemoryOf(uint32_t pid, uint32_t fd);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OWN_HOST_H_
