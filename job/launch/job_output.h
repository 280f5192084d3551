// The launcher's output: the ranks' lines, and the launcher's own messages on
// stderr. Never blocks. Output that the reader does not accept is queued.
#ifndef JOB_LAUNCH_JOB_OUTPUT_H_
#define JOB_LAUNCH_JOB_OUTPUT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "job/launch/event_loop.h"
#include "job/launch/output_sink.h"

namespace gasnet::job {

enum Stream : size_t { kStdout, kStderr };
inline constexpr Stream kStreams[] = {kStdout, kStderr};

class JobOutput {
 public:
  // `name` precedes every message.
  JobOutput(EventLoop& loop, std::string name, bool is_verbose);

  void Append(Stream stream, std::string_view lines);
  void Say(std::string_view message);
  void SayIfVerbose(std::string_view message);

  // Writes as much as the readers of stdout and stderr accept. The event loop
  // writes the rest.
  void Write();

  bool IsPending() const;
  // Returns true if the queue of this stream is long. The caller should then
  // not read more output of the ranks for the stream.
  bool IsBackedUp(Stream stream) const { return SinkOf(stream).IsBackedUp(); }
  // Returns the errno that ended stdout, or 0. Later output is dropped. A loss
  // of stderr alone cannot be reported.
  int stdout_error() const { return sinks_[kStdout].error(); }
  // Returns the time of the last Append, or 0 if there was none.
  int64_t appended_at() const { return appended_at_; }

 private:
  OutputSink& SinkOf(Stream stream) {
    return sinks_[is_one_ ? kStdout : stream];
  }
  const OutputSink& SinkOf(Stream stream) const {
    return sinks_[is_one_ ? kStdout : stream];
  }
  void Write(OutputSink& sink);

  EventLoop& loop_;
  const std::string name_;
  const bool is_verbose_;
  const bool is_one_;  // True if stdout and stderr go to the same place.
  OutputSink sinks_[2];
  int64_t appended_at_ = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_JOB_OUTPUT_H_
