// The end of a process: its status, and descriptions of it.
#ifndef JOB_LAUNCH_PROCESS_STATUS_H_
#define JOB_LAUNCH_PROCESS_STATUS_H_

#include <sys/types.h>

#include <optional>
#include <string>

namespace gasnet::job {

// Returns the wait status of a child that has ended, which stays a zombie.
// Returns nothing while it runs.
std::optional<int> PeekStatus(pid_t child);

// Returns true if that process is ending. This may take long: it writes a core
// dump, or releases its memory. Returns false once only a zombie is left.
bool IsEnding(pid_t pid);

// Returns "SIGSEGV", or "signal 40" for a signal without a name.
std::string SignalName(int signal_number);

// Returns "was killed by SIGSEGV (Segmentation fault, core dumped)" or "ended
// with exit code 3".
std::string DescribeStatus(int wait_status);

// Returns the code that a shell reports: the exit code, or 128 + the signal.
int CodeOfStatus(int wait_status);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_PROCESS_STATUS_H_
