#include "job/launch/output_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/syscall.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

UniqueFd ReopenNonBlocking(int fd) {
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  return UniqueFd(
      open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

bool HasRoom(int fd) {
  pollfd wanted = {.fd = fd, .events = POLLOUT, .revents = 0};
  return poll(&wanted, 1, 0) > 0;
}

}  // namespace

OutputSink::OutputSink(int fd) : fd_(fd), kind_(KindOf(fd)) {
  if (kind_ != Kind::kReopened) return;
  reopened_ = ReopenNonBlocking(fd);
  if (!reopened_.valid()) kind_ = Kind::kShared;
}

OutputSink::Kind OutputSink::KindOf(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0 || S_ISREG(info.st_mode)) return Kind::kFile;
  return S_ISSOCK(info.st_mode) ? Kind::kSocket : Kind::kReopened;
}

// Frees the written front of the queue. Without this, a queue that never
// becomes empty would grow without limit.
void OutputSink::Forget() {
  if (written_ < std::max(queue_.size() - written_, kBackedUpBytes)) return;
  queue_.erase(0, written_);
  written_ = 0;
}

bool OutputSink::IsBackedUp() const {
  return queue_.size() - written_ > kBackedUpBytes;
}

void OutputSink::Write() {
  while (IsPending() && error_ == 0) {
    const ssize_t wrote = WriteSome(std::string_view(queue_).substr(written_));
    if (wrote >= 0) {
      written_ += static_cast<size_t>(wrote);
    } else if (errno == EAGAIN) {
      return Forget();
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  queue_.clear();
  written_ = 0;
}

ssize_t OutputSink::WriteSome(std::string_view text) {
  switch (kind_) {
    case Kind::kSocket:
      return send(fd_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    case Kind::kShared:
      if (!HasRoom(fd_)) {
        errno = EAGAIN;
        return -1;
      }
      return write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
    case Kind::kReopened:
    case Kind::kFile:
      break;
  }
  return write(fd(), text.data(), text.size());
}

bool AreSameFile(int a, int b) {
  struct stat first, second;
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

}  // namespace gasnet::job
