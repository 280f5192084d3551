// The terminal of a job, which the launcher has and lends to a rank.
//
// Ranks are in process groups of their own, and a terminal is for one group. A
// rank that reads from it (a password from /dev/tty), or that changes its
// settings, is stopped by SIGTTIN or SIGTTOU. Then its group gets the terminal
// and goes on. It keeps the terminal until it ends or is stopped, or until it
// leaves input unread, which is for somebody else. So keys like ^C reach that
// group alone meanwhile.
//
//   ours      the launcher's group has the terminal, or another program's
//   wanted    ... another program's: looks now and then whether it is ours
//   lent      SIGTTOU is blocked here, since we may go on writing to it
//
// One thread, which has SIGTTIN blocked.
#ifndef JOB_LAUNCH_TERMINAL_LOAN_H_
#define JOB_LAUNCH_TERMINAL_LOAN_H_

#include <sys/types.h>

#include <cstdint>
#include <set>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace gasnet::job {

class TerminalLoan {
 public:
  TerminalLoan() = default;
  ~TerminalLoan() = default;
  TerminalLoan(const TerminalLoan&) = delete;
  TerminalLoan& operator=(const TerminalLoan&) = delete;

  // The group was stopped since it lacks the terminal: gives it and continues
  // the group. Returns false if it is not ours to give, so that the group
  // waits.
  bool Lend(pid_t group, int64_t now);

  // The group wants it no more. Returns true if it had the terminal, which is
  // ours again.
  bool TakeBack(pid_t group);

  // The terminal has input that we may not read.
  void NoteInput(int64_t now);

  // Time has passed. Returns true if reading the terminal should be tried anew.
  bool Advance(int64_t now);
  int64_t deadline() const;

 private:
  bool IsOurs() const;
  bool HasInput() const;
  void Give(pid_t group);

  UniqueFd terminal_;
  pid_t borrower_ = 0;
  std::set<pid_t> waiting_;
  int64_t look_at_ = kNever;    // Whether it is ours, for those that wait.
  int64_t unread_at_ = kNever;  // Whether the borrower has read the input.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_TERMINAL_LOAN_H_
