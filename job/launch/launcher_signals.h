// The signals that the supervisor takes, as events on a descriptor. While the
// object lives, these signals are blocked in this thread, so they do not
// interrupt it. A write to a closed pipe gives an error instead of a SIGPIPE.
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

  // Returns the next signal that has arrived, or nothing.
  std::optional<int> Next();

  // Stops this process until SIGCONT. Returns at once if SIGCONT is pending,
  // because SIGSTOP would discard it, and this process would never continue.
  // The sender of SIGCONT sees the ranks stop but does not know when this
  // process stops. A SIGCONT between the check and SIGSTOP is still lost.
  // SIGTSTP is no alternative, because it does not stop an orphaned process
  // group.
  void StopProcess() const;

  // The signal mask that was set before this object was made.
  const sigset_t& mask() const { return mask_; }

 private:
  UniqueFd signals_;
  sigset_t mask_;
  struct sigaction child_action_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_LAUNCHER_SIGNALS_H_
