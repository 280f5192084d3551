// The terminal of a job. The launcher can lend the terminal to a rank.
//
// Ranks are in process groups of their own, and a terminal belongs to one
// group. SIGTTIN or SIGTTOU stops a rank that reads from the terminal (a
// password from /dev/tty) or changes its settings. The launcher then gives the
// terminal to the rank's group and continues the group. The group keeps the
// terminal until one of these happens:
// - the rank ends
// - the rank is stopped
// - input stays unread, which means that it is for another process
//
// While a group has the terminal, keys like ^C reach only that group.
//
// The states are:
//   - ours: no rank has or wants the terminal. The launcher's group has it,
//     or another program's group.
//   - wanted: a rank wants the terminal, but another program's group has it.
//     The launcher checks periodically if the terminal is back.
//   - lent: a rank's group has the terminal. The launcher blocks SIGTTOU,
//     because the launcher may still write to the terminal.
//
// Used by one thread. SIGTTIN must be blocked in this thread.
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

  // Gives the terminal to a process group that was stopped because it lacks the
  // terminal, and continues the group. If the launcher does not have the
  // terminal, returns false, and the group waits.
  bool Lend(pid_t group, int64_t now);

  // Takes the terminal back from a group that no longer wants it. Returns true
  // if the group had the terminal.
  bool TakeBack(pid_t group);

  // Notes that the terminal has input that the launcher may not read.
  void NoteInput(int64_t now);

  // Does all work that is due. Returns true if the caller should try again to
  // read the terminal.
  bool Advance(int64_t now);
  int64_t deadline() const;

 private:
  bool IsOurs() const;
  bool HasInput() const;
  void Give(pid_t group);

  UniqueFd terminal_;
  pid_t borrower_ = 0;
  std::set<pid_t> waiting_;
  int64_t look_at_ = kNever;    // The time to check if the terminal is back.
  int64_t unread_at_ = kNever;  // The time to check for unread input.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_TERMINAL_LOAN_H_
