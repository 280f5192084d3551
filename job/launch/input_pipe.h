// The pipe that is rank 0's standard input. The object accepts a piece of
// input, and writes it as the rank makes room. Then the object asks for the
// next piece. Used by one thread, with SIGPIPE blocked.
#ifndef JOB_LAUNCH_INPUT_PIPE_H_
#define JOB_LAUNCH_INPUT_PIPE_H_

#include <functional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "job/launch/event_loop.h"

namespace gasnet::job {

class InputPipe {
 public:
  // Makes the pipe. The object calls `on_room` whenever all bytes have been
  // written.
  InputPipe(EventLoop& loop, std::function<void()> on_room);
  ~InputPipe() { Drop(); }

  // The read end of the pipe, for rank 0.
  int rank_end() const { return rank_end_.get(); }
  // Closes the read end in this process, so that only rank 0 holds it.
  void CloseRankEnd() { rank_end_.Reset(); }

  void Write(std::string_view bytes);
  // Ends the input: closes the pipe once all bytes have been written.
  void Close();

  // Returns true if the pipe accepts a piece now.
  bool HasRoom() const { return pipe_.valid() && pending_.empty(); }
  bool valid() const { return pipe_.valid(); }

 private:
  void WriteSome();
  void Drop();

  EventLoop& loop_;
  const std::function<void()> on_room_;
  UniqueFd rank_end_;
  UniqueFd pipe_;
  std::string pending_;
  bool ends_ = false;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_INPUT_PIPE_H_
