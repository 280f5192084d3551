#include "job/launch/launcher_signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/syscall.h"

namespace gasnet::job {
namespace {

constexpr int kTaken[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                          SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2};
constexpr int kOnlyBlocked[] = {SIGPIPE, SIGTTIN};

// Returns true for SIGHUP if it is ignored, so that nohup works. SIGINT and
// SIGQUIT are accepted even if ignored. Shells ignore them for every background
// command of a script, but "kill -INT" on a launcher is deliberate.
bool IsIgnoredForGood(int signal_number) {
  struct sigaction action;
  sigaction(signal_number, nullptr, &action);
  return signal_number == SIGHUP && action.sa_handler == SIG_IGN;
}

}  // namespace

LauncherSignals::LauncherSignals() {
  sigset_t taken, blocked;
  sigemptyset(&taken);
  for (const int signal_number : kTaken) {
    if (!IsIgnoredForGood(signal_number)) sigaddset(&taken, signal_number);
  }
  blocked = taken;
  for (const int signal_number : kOnlyBlocked) {
    sigaddset(&blocked, signal_number);
  }
  pthread_sigmask(SIG_BLOCK, &blocked, &mask_);
  // If SIGCHLD were ignored, the kernel would reap the children, and their wait
  // status would be lost.
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, &child_action_);
  signals_.Reset(signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
}

LauncherSignals::~LauncherSignals() {
  // Discards a pending SIGPIPE. The failed write has already reported the
  // broken pipe, so the signal must not end this process once it is unblocked.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  const timespec at_once = {};
  sigtimedwait(&pipe, nullptr, &at_once);
  sigaction(SIGCHLD, &child_action_, nullptr);
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

void LauncherSignals::StopProcess() const {
  sigset_t pending;
  sigpending(&pending);
  if (!sigismember(&pending, SIGCONT)) kill(getpid(), SIGSTOP);
}

std::optional<int> LauncherSignals::Next() {
  signalfd_siginfo info;
  const ssize_t got =
      RetryOnEintr([&] { return read(fd(), &info, sizeof info); });
  if (got != sizeof info) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace gasnet::job
