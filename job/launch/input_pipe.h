// The pipe that rank 0 reads as its standard input. It takes a piece, writes it
// as the rank makes room, and asks for the next. One thread; SIGPIPE blocked.
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
  // `on_room` is called when all has been written and more is welcome.
  InputPipe(EventLoop& loop, std::function<void()> on_room);
  ~InputPipe() { Drop(); }

  // The end for rank 0.
  int rank_end() const { return rank_end_.get(); }
  // Closes the end here: rank 0 has it, and is to be the only one.
  void CloseRankEnd() { rank_end_.Reset(); }

  void Write(std::string_view bytes);
  // Ends the input: closes when all has been written.
  void Close();

  // Returns true if it takes a piece now.
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
