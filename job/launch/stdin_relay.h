// Carries the terminal's input to rank 0. The ranks are in process groups of
// their own, so the terminal would stop a rank that reads from it (SIGTTIN). So
// the launcher reads, which is in the foreground when the job is. Input that is
// no terminal is inherited and needs no relay.
#ifndef JOB_LAUNCH_STDIN_RELAY_H_
#define JOB_LAUNCH_STDIN_RELAY_H_

#include <functional>
#include <memory>
#include <string_view>

#include "job/launch/event_loop.h"
#include "job/launch/input_pipe.h"
#include "job/launch/input_source.h"

namespace gasnet::job {

class StdinRelay {
 public:
  // Returns null unless `terminal` is one. `on_refused` is called if it has
  // input that this process may not read, being in its background, until
  // Resume. SIGTTIN and SIGPIPE must be blocked.
  static std::unique_ptr<StdinRelay> For(int terminal, EventLoop& loop,
                                         std::function<void()> on_refused);

  // The end that is rank 0's stdin.
  int rank_end() const { return pipe_.rank_end(); }

  // Begins to carry, when rank 0 has been started. After this process has been
  // continued, maybe in the foreground now, tries the terminal again.
  void Resume();

 private:
  StdinRelay(int terminal, EventLoop& loop, std::function<void()> on_refused);

  void Take(std::string_view bytes);

  InputPipe pipe_;
  InputSource source_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_STDIN_RELAY_H_
