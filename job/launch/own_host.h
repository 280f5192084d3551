// The host that a process is on, for processes that another launcher has
// placed.
#ifndef JOB_LAUNCH_OWN_HOST_H_
#define JOB_LAUNCH_OWN_HOST_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::job {

// Returns the host's identity: this boot, and the namespace of process ids. It
// is equal in two processes exactly if they run on one kernel and see each
// other in /proc, as all do that share memory. Processes in containers of their
// own are on different hosts.
std::string OwnHostIdentity();

std::string OwnHostName();

// Opens the file that process `pid` of this host has open as `fd`. It must be
// memory that CreateHostMemory has made for the same user. The kernel allows
// this only to processes that may inspect that process.
absl::StatusOr<UniqueFd> OpenMemoryOf(uint32_t pid, uint32_t fd);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OWN_HOST_H_
