// Standard input (a terminal, a pipe, or a file), read a piece at a time on
// request. One thread.
#ifndef JOB_LAUNCH_INPUT_SOURCE_H_
#define JOB_LAUNCH_INPUT_SOURCE_H_

#include <functional>
#include <string_view>

#include "job/launch/event_loop.h"

namespace gasnet::job {

class InputSource {
 public:
  // Receives bytes. An empty piece marks the end, and comes once.
  using Taker = std::function<void(std::string_view)>;

  // The caller keeps `fd`. Calls `on_refused` if it is a terminal with input
  // and this process is in its background. SIGTTIN must be blocked.
  InputSource(
      int fd, EventLoop& loop, Taker taker,
      std::function<void()> on_refused = [] {})
      : fd_(fd),
        loop_(loop),
        taker_(std::move(taker)),
        on_refused_(std::move(on_refused)) {}
  ~InputSource() { Stop(); }

  // Asks for the next piece. Also called after this process was continued: it
  // may now be in the foreground.
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
