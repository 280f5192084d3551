// Standard input (a terminal, a pipe, or a file), read piece by piece on
// request. Only one thread may use it.
#ifndef JOB_LAUNCH_INPUT_SOURCE_H_
#define JOB_LAUNCH_INPUT_SOURCE_H_

#include <functional>
#include <string_view>

#include "job/launch/event_loop.h"

namespace gasnet::job {

class InputSource {
 public:
  // Receives a piece of input. An empty piece marks the end, and comes only
  // once.
  using Taker = std::function<void(std::string_view)>;

  // Makes a source that reads `fd`. The caller keeps ownership of `fd`. The
  // source calls `on_refused` if `fd` is a terminal with input and this process
  // is in the terminal's background. SIGTTIN must be blocked.
  InputSource(
      int fd, EventLoop& loop, Taker taker,
      std::function<void()> on_refused = [] {})
      : fd_(fd),
        loop_(loop),
        taker_(std::move(taker)),
        on_refused_(std::move(on_refused)) {}
  ~InputSource() { Stop(); }

  // Asks for the next piece. Call Want again when this process continues after
  // a stop, because the process may now be in the foreground.
  void Want();
  // Stops reading.
  void Stop();

 private:
  void Read();

  const int fd_;
  EventLoop& loop_;
  const Taker taker_;
  const std::function<void()> on_refused_;
  bool has_ended_ = false;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_INPUT_SOURCE_H_
