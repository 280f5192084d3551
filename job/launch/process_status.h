// How a process ends: whether it does, and how it did, in words.
#ifndef JOB_LAUNCH_PROCESS_STATUS_H_
#define JOB_LAUNCH_PROCESS_STATUS_H_

#include <sys/types.h>

#include <optional>
#include <string>

namespace gasnet::job {

// The wait status of a child that has ended, which stays a zombie; nothing
// while it runs.
std::optional<int> PeekStatus(pid_t child);

// Whether that process is on its way to its end, which may take long: it writes
// a core dump, or gives back its memory. Not once nothing but a zombie is left.
bool IsEnding(pid_t pid);

// "SIGSEGV", or "signal 40" for one without a name.
std::string SignalName(int signal_number);

// "was killed by SIGSEGV (Segmentation fault, core dumped)" or "ended with exit
// code 3".
std::string DescribeStatus(int wait_status);

// As a shell reports it: the exit code, or 128 + the signal.
int CodeOfStatus(int wait_status);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_PROCESS_STATUS_H_
