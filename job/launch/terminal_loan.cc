#include "job/launch/terminal_loan.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/signal_mask.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

void Mask(int how, int signal_number) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal_number);
  pthread_sigmask(how, &one, nullptr);
}

}  // namespace

bool TerminalLoan::IsOurs() const {
  const pid_t owner = tcgetpgrp(terminal_.get());
  return owner == getpgrp() || (borrower_ != 0 && owner == borrower_);
}

bool TerminalLoan::HasInput() const {
  pollfd wanted = {.fd = terminal_.get(), .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, 0) > 0;
}

void TerminalLoan::Give(pid_t group) {
  const BlockAllSignals no_sigttou_in_the_background;
  tcsetpgrp(terminal_.get(), group);
}

bool TerminalLoan::Lend(pid_t group, int64_t now) {
  if (!terminal_.valid()) {
    terminal_.Reset(open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  }
  if (!IsOurs()) {
    waiting_.insert(group);
    look_at_ = now + kForegroundNanos;
    return false;
  }
  Mask(SIG_BLOCK, SIGTTOU);
  Give(group);
  borrower_ = group;
  kill(-group, SIGCONT);
  return true;
}

bool TerminalLoan::TakeBack(pid_t group) {
  waiting_.erase(group);
  if (borrower_ != group || group == 0) return false;
  // Does not touch the terminal if another program, such as a shell, has taken
  // it.
  if (IsOurs()) Give(getpgrp());
  borrower_ = 0;
  unread_at_ = kNever;
  Mask(SIG_UNBLOCK, SIGTTOU);
  return true;
}

void TerminalLoan::NoteInput(int64_t now) {
  if (borrower_ != 0) unread_at_ = now + kUnreadNanos;
}

bool TerminalLoan::Advance(int64_t now) {
  if (now >= look_at_) {
    look_at_ = kNever;
    for (const pid_t group : std::exchange(waiting_, {})) Lend(group, now);
  }
  if (now < unread_at_) return false;
  unread_at_ = kNever;
  if (HasInput()) TakeBack(borrower_);
  return true;
}

int64_t TerminalLoan::deadline() const {
  return std::min(look_at_, unread_at_);
}

}  // namespace gasnet::job
