// Carries the terminal's input to rank 0. The ranks are in process groups of
// their own, so the terminal would stop one that reads from it (SIGTTIN); the
// launcher, which is in the foreground when the job is, reads for it. Input
// that is no terminal is inherited and needs no relay.
#ifndef GASNET_CORE_JOB_STDIN_RELAY_H_
#define GASNET_CORE_JOB_STDIN_RELAY_H_

#include <memory>
#include <string>

#include "base/unique_fd.h"
#include "core/job/event_loop.h"

namespace gasnet::job {

class StdinRelay {
 public:
  // Null unless `terminal` is one. SIGTTIN and SIGPIPE must be blocked.
  static std::unique_ptr<StdinRelay> For(int terminal, EventLoop& loop);

  // What rank 0 gets as stdin.
  int rank_end() const { return rank_end_.get(); }

  // Rank 0 has been started: begins to carry. Also after we have been
  // continued, maybe in the foreground now: tries the terminal again.
  void Resume();

 private:
  StdinRelay(int terminal, EventLoop& loop, UniqueFd rank_end, UniqueFd pipe);

  void ReadTerminal();
  void WritePipe();
  void Stop();

  const int terminal_;
  EventLoop& loop_;
  UniqueFd rank_end_;
  UniqueFd pipe_;
  std::string pending_;
};

}  // namespace gasnet::job

#endif  // GASNET_CORE_JOB_STDIN_RELAY_H_
