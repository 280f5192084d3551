// The signals that the supervisor takes, as events on a descriptor. All are
// blocked in this thread while the object lives. So nothing interrupts the
// thread, and a closed pipe is an error, not a SIGPIPE.
#ifndef JOB_LAUNCH_LAUNCHER_SIGNALS_H_
#define JOB_LAUNCH_LAUNCHER_SIGNALS_H_

#include <signal.h>

#include <optional>

#include "base/unique_fd.h"

namespace gasnet::job {

class LauncherSignals {
 public:
  LauncherSignals();
  ~LauncherSignals();
  LauncherSignals(const LauncherSignals&) = delete;
  LauncherSignals& operator=(const LauncherSignals&) = delete;

  bool valid() const { return signals_.valid(); }
  int fd() const { return signals_.get(); }

  // Returns the next signal that has arrived.
  std::optional<int> Next();

  // Stops this process until SIGCONT. Returns at once if SIGCONT has arrived
  // and Next has not returned it yet: SIGSTOP would discard it, and nothing
  // would continue this process. A sender of SIGCONT may have seen the ranks
  // stop, and does not know when this process does. The moment between two
  // system calls is left of that window: SIGCONT cannot cancel a SIGSTOP that
  // is still to come, and SIGTSTP stops no orphaned group of processes.
  void StopProcess() const;

  // The mask from before.
  const sigset_t& mask() const { return mask_; }

 private:
  UniqueFd signals_;
  sigset_t mask_;
  struct sigaction child_action_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_LAUNCHER_SIGNALS_H_
