// The identity of this host, for processes that a launcher other than gasnetrun
// has placed.
#ifndef JOB_LAUNCH_OWN_HOST_H_
#define JOB_LAUNCH_OWN_HOST_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::job {

// Returns the host's identity: the boot of the kernel, and the namespace of
// process ids. Two processes have the same identity exactly if they run on one
// kernel and see each other in /proc. Sharing memory requires both conditions.
// Processes in separate containers therefore count as on different hosts.
std::string OwnHostIdentity();

std::string OwnHostName();

// Opens descriptor `fd` of process `pid` on this host a second time. The
// descriptor must refer to memory that CreateHostMemory made for the same user.
// The kernel permits the open only if this process may inspect process `pid`.
absl::StatusOr<UniqueFd> OpenMemoryOf(uint32_t pid, uint32_t fd);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OWN_HOST_H_
