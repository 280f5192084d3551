#include "job/launch/process_status.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <fstream>

#include "absl/strings/str_cat.h"
#include "job/status/kernel_state.h"

namespace gasnet::job {
namespace {

constexpr unsigned kExitingFlag = 0x4;  // PF_EXITING, a flag of the kernel.

bool IsDumping(pid_t pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  for (std::string key, value; status >> key; std::getline(status, value)) {
    if (key == "CoreDumping:") return status >> value && value == "1";
  }
  return false;
}

enum class Thread { kRuns, kExits, kIsOver };

// Returns the state of a thread. A thread whose state is unreadable has ended.
Thread StateOf(const std::string& task) {
  const std::optional<KernelState> state = ReadKernelState(task);
  if (!state.has_value() || state->letter == 'X' || state->letter == 'Z') {
    return Thread::kIsOver;
  }
  return (state->flags & kExitingFlag) != 0 ? Thread::kExits : Thread::kRuns;
}

}  // namespace

bool IsEnding(pid_t pid) {
  if (IsDumping(pid)) return true;
  bool exits = false;
  for (const std::string& task : ThreadFolders(pid)) {
    const Thread thread = StateOf(task);
    if (thread == Thread::kRuns) return false;
    exits |= thread == Thread::kExits;
  }
  return exits;
}

std::optional<int> PeekStatus(pid_t child) {
  siginfo_t info = {};
  if (waitid(P_PID, static_cast<id_t>(child), &info,
             WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0) {
    return std::nullopt;
  }
  if (info.si_code == CLD_EXITED) return W_EXITCODE(info.si_status, 0);
  return W_EXITCODE(0, info.si_status) |
         (info.si_code == CLD_DUMPED ? WCOREFLAG : 0);
}

std::string SignalName(int signal_number) {
  const char* name = sigabbrev_np(signal_number);
  return name != nullptr ? absl::StrCat("SIG", name)
                         : absl::StrCat("signal ", signal_number);
}

std::string DescribeStatus(int wait_status) {
  if (!WIFSIGNALED(wait_status)) {
    return absl::StrCat("ended with exit code ", WEXITSTATUS(wait_status));
  }
  const int signal_number = WTERMSIG(wait_status);
  return absl::StrCat("was killed by ", SignalName(signal_number), " (",
                      strsignal(signal_number),
                      WCOREDUMP(wait_status) ? ", core dumped)" : ")");
}

int CodeOfStatus(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
                                  : WEXITSTATUS(wait_status);
}

}  // namespace gasnet::job
