// The status of a process that has ended, and descriptions of it.
#ifndef JOB_LAUNCH_PROCESS_STATUS_H_
#define JOB_LAUNCH_PROCESS_STATUS_H_

#include <sys/types.h>

#include <optional>
#include <string>

namespace gasnet::job {

// Returns the wait status of a child that has ended, or nothing while the child
// runs. Does not reap the child.
std::optional<int> PeekStatus(pid_t child);

// Returns true if the process is ending but not yet a zombie. Ending may take
// long, because the kernel writes a core dump or releases the memory. Returns
// false once only a zombie is left.
bool IsEnding(pid_t pid);

// Returns the name of a signal, such as "SIGSEGV". Returns a text like "signal
// 40" for a signal without a name.
std::string SignalName(int signal_number);

// Describes how a process ended: "was killed by SIGSEGV (Segmentation fault,
// core dumped)" or "ended with exit code 3".
std::string DescribeStatus(int wait_status);

// Returns the code that a shell reports: the exit code, or 128 + the signal.
int CodeOfStatus(int wait_status);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_PROCESS_STATUS_H_
