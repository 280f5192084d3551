#include "job/launch/input_source.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/syscall.h"
#include "job/tuning.h"

namespace gasnet::job {

void InputSource::Want() {
  if (has_ended_) return;
  // A regular file cannot be watched because it is always ready. It is read at
  // once.
  if (!loop_.Watch(fd_, EPOLLIN, [this] { Read(); })) Read();
}

void InputSource::Read() {
  char bytes[kInputBytes];
  const ssize_t got =
      RetryOnEintr([&] { return read(fd_, bytes, sizeof bytes); });
  // Another process that shares the input has read first.
  if (got < 0 && errno == EAGAIN) return;
  loop_.Unwatch(fd_);
  // This process is in the terminal's background. Reading resumes when Want()
  // is called again.
  if (got < 0 && errno == EIO) return on_refused_();
  // A source that cannot be read counts as ended. Examples are a directory, and
  // the file that nohup substitutes for a terminal.
  const size_t size = got < 0 ? 0 : static_cast<size_t>(got);
  has_ended_ = size == 0;
  taker_({bytes, size});
}

void InputSource::Stop() {
  has_ended_ = true;
  loop_.Unwatch(fd_);
}

}  // namespace gasnet::job
