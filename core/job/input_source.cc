#include "core/job/input_source.h"

#include <sys/epoll.h>
#include <unistd.h>

#include "base/syscall.h"

namespace gasnet::job {
namespace {

constexpr size_t kPieceBytes = 4096;

}  // namespace

void InputSource::Want() {
  if (has_ended_) return;
  // A file is always ready, and refuses to be watched.
  if (!loop_.Watch(fd_, EPOLLIN, [this] { Read(); })) Read();
}

void InputSource::Read() {
  char bytes[kPieceBytes];
  const ssize_t got =
      RetryOnEintr([&] { return read(fd_, bytes, sizeof bytes); });
  loop_.Unwatch(fd_);
  // In the background, until wanted again; or not open, which never ends.
  if (got < 0) return;
  has_ended_ = got == 0;
  taker_({bytes, static_cast<size_t>(got)});
}

void InputSource::Stop() {
  has_ended_ = true;
  loop_.Unwatch(fd_);
}

}  // namespace gasnet::job
