// A pipe of the kernel. Unlike a socket pair, a pipe has one direction. With
// two pipes, each direction can be ended by itself.
#ifndef TOOLS_GASNETRUN_REMOTE_PIPE_H_
#define TOOLS_GASNETRUN_REMOTE_PIPE_H_

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace gasnet::gasnetrun {

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

// Makes a pipe that closes on exec.
absl::StatusOr<Pipe> MakePipe();

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_PIPE_H_
