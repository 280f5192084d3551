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
  // Takes bytes; empty at the end, which comes once.
  using Taker = std::function<void(std::string_view)>;

  // `fd` stays the caller's. `on_refused` is called if it is a terminal that
  // has input, and this process is in its background. SIGTTIN must be blocked.
  InputSource(
      int fd, EventLoop& loop, Taker taker,
      std::function<void()> on_refused = [] {})
      : fd_(fd),
        loop_(loop),
        taker_(std::move(taker)),
        on_refused_(std::move(on_refused)) {}
  ~InputSource() { Stop(); }

  // Asks for the next piece. Called again after this process has been
  // continued: it may be in the foreground now, after the terminal had refused
  // it.
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
