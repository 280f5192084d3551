#include "job/launch/input_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/syscall.h"

namespace gasnet::job {

InputPipe::InputPipe(EventLoop& loop, std::function<void()> on_room)
    : loop_(loop), on_room_(std::move(on_room)) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  rank_end_.Reset(ends[0]);
  pipe_.Reset(ends[1]);
  SetNonBlocking(ends[1]);
}

void InputPipe::Write(std::string_view bytes) {
  if (!pipe_.valid()) return;
  pending_ += bytes;
  WriteSome();
}

void InputPipe::WriteSome() {
  const ssize_t wrote = RetryOnEintr(
      [&] { return write(pipe_.get(), pending_.data(), pending_.size()); });
  if (wrote < 0 && errno != EAGAIN) return Drop();
  if (wrote > 0) pending_.erase(0, static_cast<size_t>(wrote));
  loop_.Unwatch(pipe_.get());
  if (pending_.empty()) return ends_ ? Drop() : on_room_();
  loop_.Watch(pipe_.get(), EPOLLOUT, [this] { WriteSome(); });
}

void InputPipe::Close() {
  ends_ = true;
  if (pending_.empty()) Drop();
}

void InputPipe::Drop() {
  if (!pipe_.valid()) return;
  loop_.Unwatch(pipe_.get());
  pipe_.Reset();
  pending_.clear();
}

}  // namespace gasnet::job
