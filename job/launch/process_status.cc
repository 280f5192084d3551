#include "job/launch/process_status.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "absl/strings/str_cat.h"

namespace gasnet::job {

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
