// The kernel's view of processes and threads, from /proc.
#ifndef JOB_STATUS_KERNEL_STATE_H_
#define JOB_STATUS_KERNEL_STATE_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace gasnet::job {

struct KernelState {
  char letter;     // The letter that ps shows.
  unsigned flags;  // The kernel's PF_... flags.
  std::string name;
};

// Returns the state of the process or thread with this folder in /proc. Returns
// nothing if the folder does not exist or the state cannot be read.
std::optional<KernelState> ReadKernelState(const std::string& folder);

// FolderOf returns the /proc folder of a process. ThreadFolders returns the
// folders of its threads, or nothing if the process does not exist.
std::string FolderOf(pid_t pid);
std::vector<std::string> ThreadFolders(pid_t pid);

}  // namespace gasnet::job

#endif  // JOB_STATUS_KERNEL_STATE_H_
