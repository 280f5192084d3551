// The launcher's own stdout or stderr. It accepts output at any rate, and
// writes as much as the reader accepts. It never blocks on a slow reader.
// Regular files count as fast.
//
// The parent process shares the open file description, so the description must
// stay blocking. The sink therefore opens a pipe or terminal a second time,
// non-blocking. If that is impossible, the sink writes small pieces. Such a
// piece does not block once poll reports room.
#ifndef JOB_LAUNCH_OUTPUT_SINK_H_
#define JOB_LAUNCH_OUTPUT_SINK_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace gasnet::job {

class OutputSink {
 public:
  // Does not take ownership of `fd`.
  explicit OutputSink(int fd);

  void Append(std::string_view text) { queue_ += text; }

  // Writes until everything is written or the reader takes no more.
  void Write();

  // Returns true if output waits for the reader. The caller then watches fd()
  // for room and calls Write.
  bool IsPending() const { return written_ < queue_.size(); }

  // Returns true if the queue is long. The caller should then not read more
  // output from the ranks.
  bool IsBackedUp() const;

  // Returns the errno that ended this sink (EPIPE: the reader has gone), or 0.
  // Later output is dropped.
  int error() const { return error_; }

  int fd() const { return reopened_.valid() ? reopened_.get() : fd_; }

 private:
  enum class Kind { kFile, kReopened, kSocket, kShared };

  static Kind KindOf(int fd);
  ssize_t WriteSome(std::string_view text);
  // Removes written output from the queue if there is much of it.
  void Forget();

  const int fd_;
  Kind kind_;
  UniqueFd reopened_;
  std::string queue_;
  size_t written_ = 0;
  int error_ = 0;
};

// Returns true if two descriptors refer to the same file. Output to both must
// then go through one sink to keep its lines whole.
bool AreSameFile(int a, int b);

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_OUTPUT_SINK_H_
