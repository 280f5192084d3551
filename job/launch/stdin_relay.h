// Relays the terminal's input to rank 0. The ranks are in their own process
// groups, so the terminal would stop a rank that reads from it (SIGTTIN). The
// launcher is in the foreground whenever the job is, so the launcher reads for
// rank 0. Input that is not a terminal needs no relay: rank 0 inherits it.
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
  // Makes a relay for `terminal`. Returns null if `terminal` is not a terminal.
  // If the terminal has input while this process is in the background, this
  // process may not read it. The relay then calls `on_refused` and reads no
  // more until Resume. SIGTTIN and SIGPIPE must be blocked.
  static std::unique_ptr<StdinRelay> For(int terminal, EventLoop& loop,
                                         std::function<void()> on_refused);

  // Returns the read end of the pipe. The read end is rank 0's stdin.
  int rank_end() const { return pipe_.rank_end(); }

  // Starts the relay once rank 0 has been started. Call Resume again when this
  // process continues after a stop, to try the terminal again.
  void Resume();

 private:
  StdinRelay(int terminal, EventLoop& loop, std::function<void()> on_refused);

  void Take(std::string_view bytes);

  InputPipe pipe_;
  InputSource source_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_STDIN_RELAY_H_
