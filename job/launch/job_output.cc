#include "job/launch/job_output.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"

namespace gasnet::job {

JobOutput::JobOutput(EventLoop& loop, std::string name, bool is_verbose)
    : loop_(loop),
      name_(std::move(name)),
      is_verbose_(is_verbose),
      is_one_(AreSameFile(STDOUT_FILENO, STDERR_FILENO)),
      sinks_{OutputSink(STDOUT_FILENO), OutputSink(STDERR_FILENO)} {}

void JobOutput::Append(Stream stream, std::string_view lines) {
  appended_at_ = NowNanos();
  SinkOf(stream).Append(lines);
}

void JobOutput::Say(std::string_view message) {
  SinkOf(kStderr).Append(name_ + ": " + std::string(message) + "\n");
}

void JobOutput::SayIfVerbose(std::string_view message) {
  if (is_verbose_) Say(message);
}

void JobOutput::Write() {
  for (OutputSink& sink : sinks_) Write(sink);
}

void JobOutput::Write(OutputSink& sink) {
  sink.Write();
  if (sink.IsPending()) {
    loop_.Watch(sink.fd(), EPOLLOUT, [this, &sink] { Write(sink); });
  } else {
    loop_.Unwatch(sink.fd());
  }
}

bool JobOutput::IsPending() const {
  return std::any_of(std::begin(sinks_), std::end(sinks_),
                     [](const OutputSink& sink) { return sink.IsPending(); });
}

}  // namespace gasnet::job
