// The kernel's view of processes and threads, from /proc.
#ifndef JOB_STATUS_KERNEL_STATE_H_
#define JOB_STATUS_KERNEL_STATE_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace gasnet::job {

struct KernelState {
  char letter;     // as ps shows it
  unsigned flags;  // PF_... of the kernel
};

// Returns the state of the process or thread with this folder in /proc. Returns
// nothing if there is none, or it cannot be read.
std::optional<KernelState> ReadKernelState(const std::string& folder);

// Return the folder of a process and those of its threads, or none if there is
// no such process.
std::string FolderOf(pid_t pid);
std::vector<std::string> ThreadFolders(pid_t pid);

}  // namespace gasnet::job

#endif  // JOB_STATUS_KERNEL_STATE_H_
