// The launcher's own stdout or stderr. It accepts output at any rate, writes as
// much as the reader accepts, and never blocks on a slow reader (regular files
// count as fast).
//
// The open file description is shared with the parent process, so it must stay
// blocking. A pipe or terminal is opened anew, non-blocking. If that is
// impossible, it is written to in pieces that fit once poll reports room.
#ifndef JOB_LAUNCH_OUTPUT_SINK_H_
#define JOB_LAUNCH_OUTPUT_SINK_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace gasnet::job {

class OutputSink {
 public:
  // The caller keeps `fd`.
  explicit OutputSink(int fd);

  void Append(std::string_view text) { queue_ += text; }

  // Writes until everything is written or the reader takes no more.
  void Write();

  // Returns true if output waits for the reader: watch fd() for room and call
  // Write.
  bool IsPending() const { return written_ < queue_.size(); }

  // Returns true if the queue is so long that its source should not be read.
  bool IsBackedUp() const;

  // The errno that ended it (EPIPE: the reader has gone), or 0. Later output is
  // dropped.
  int error() const { return error_; }

  int fd() const { return reopened_.valid() ? reopened_.get() : fd_; }

 private:
  enum class Kind { kFile, kReopened, kSocket, kShared };

  static Kind KindOf(int fd);
  ssize_t WriteSome(std::string_view text);
  // Removes written output from the queue, if there is much.
  void Forget();

  const int fd_;
  Kind kind_;
  UniqueFd reopened_;
  std::string queue_;
  size_t written_ = 0;
  int error_ = 0;
};

// Returns true if two descriptors lead to the same place, so that the lines
// written to both must share one sink to stay whole.
bool AreSameFile(int a, int b);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OUTPUT_SINK_H_
