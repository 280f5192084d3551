// The terminal of a job, which the launcher has and lends to a rank.
//
// Ranks are in process groups of their own, and a terminal belongs to one
// group. SIGTTIN or SIGTTOU stops a rank that reads from it (a password from
// /dev/tty) or changes its settings. The rank's group then gets the terminal
// and continues. It keeps the terminal until it ends, is stopped, or leaves
// input unread, which must be for another process. Keys like ^C reach only that
// group in the meantime.
//
//   - ours: the launcher's group has the terminal, or another program's.
//   - wanted: another program's group has it. The launcher checks periodically
//     if it is back.
//   - lent: a rank's group has it. SIGTTOU is blocked here, since the launcher
//     may still write to the terminal.
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

  // Gives the terminal to a group that was stopped for want of it, and
  // continues the group. Returns false if the launcher does not have the
  // terminal; the group then waits.
  bool Lend(pid_t group, int64_t now);

  // Takes the terminal back from a group that no longer wants it. Returns true
  // if the group had it.
  bool TakeBack(pid_t group);

  // Notes that the terminal has input that the launcher may not read.
  void NoteInput(int64_t now);

  // Does all work that is due. Returns true if reading the terminal should be
  // tried again.
  bool Advance(int64_t now);
  int64_t deadline() const;

 private:
  bool IsOurs() const;
  bool HasInput() const;
  void Give(pid_t group);

  UniqueFd terminal_;
  pid_t borrower_ = 0;
  std::set<pid_t> waiting_;
  int64_t look_at_ = kNever;    // Time to check if the terminal is back.
  int64_t unread_at_ = kNever;  // Time to check the unread input.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_TERMINAL_LOAN_H_
