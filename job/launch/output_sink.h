// The launcher's own stdout or stderr. It takes output at any rate, writes what
// the reader takes, and never blocks on a slow reader (regular files count as
// fast).
//
// The open file description is shared with the parent process, so it is not
// made non-blocking. A pipe or terminal is opened anew for that. If that is
// impossible, it is written to in pieces that fit once it reports room.
#ifndef JOB_LAUNCH_OUTPUT_SINK_H_
#define JOB_LAUNCH_OUTPUT_SINK_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace gasnet::job {

class OutputSink {
 public:
  // `fd` stays the caller's.
  explicit OutputSink(int fd);

  void Append(std::string_view text) { queue_ += text; }

  // Writes until everything is written or the reader takes no more.
  void Write();

  // Returns true if output waits for the reader: watch fd() for room and call
  // Write.
  bool IsPending() const { return written_ < queue_.size(); }

  // Returns true if so much waits that no more should be taken in.
  bool IsBackedUp() const;

  // The errno that ended it (EPIPE: the reader has gone), or 0. Bytes that are
  // appended later are dropped.
  int error() const { return error_; }

  int fd() const { return reopened_.valid() ? reopened_.get() : fd_; }

 private:
  enum class Kind { kFile, kReopened, kSocket, kShared };

  static Kind KindOf(int fd);
  ssize_t WriteSome(std::string_view text);
  // Removes written output, if that is much.
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
