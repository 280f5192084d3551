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
// nothing if there is no such process, or if its state cannot be read.
std::optional<KernelState> ReadKernelState(const std::string& folder);

// Return the /proc folder of a process, and the folders of its threads. If
// there is no such process, ThreadFolders returns none.
std::string FolderOf(pid_t pid);
std::vector<std::string> ThreadFolders(pid_t pid);

}  // namespace gasnet::job

#endif  // JOB_STATUS_KERNEL_STATE_H_
