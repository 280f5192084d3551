#include "core/job/process_status.h"

#include <string.h>
#include <sys/wait.h>

#include "absl/strings/str_cat.h"

namespace gasnet::job {

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
