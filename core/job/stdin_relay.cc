#include "core/job/stdin_relay.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/syscall.h"

namespace gasnet::job {

std::unique_ptr<StdinRelay> StdinRelay::For(int terminal, EventLoop& loop) {
  int ends[2];
  if (!isatty(terminal) || pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  SetNonBlocking(ends[1]);
  return std::unique_ptr<StdinRelay>(
      new StdinRelay(terminal, loop, UniqueFd(ends[0]), UniqueFd(ends[1])));
}

StdinRelay::StdinRelay(int terminal, EventLoop& loop, UniqueFd rank_end,
                       UniqueFd pipe)
    : terminal_(terminal),
      loop_(loop),
      rank_end_(std::move(rank_end)),
      pipe_(std::move(pipe)) {}

void StdinRelay::Resume() {
  rank_end_.Reset();
  if (pipe_.valid() && pending_.empty()) {
    loop_.Watch(terminal_, EPOLLIN, [this] { ReadTerminal(); });
  }
}

void StdinRelay::ReadTerminal() {
  char bytes[4096];
  const ssize_t got =
      RetryOnEintr([&] { return read(terminal_, bytes, sizeof bytes); });
  // In the background: until Resume.
  if (got < 0) return loop_.Unwatch(terminal_);
  if (got == 0) return Stop();
  pending_.assign(bytes, static_cast<size_t>(got));
  WritePipe();
}

void StdinRelay::WritePipe() {
  const ssize_t wrote = RetryOnEintr(
      [&] { return write(pipe_.get(), pending_.data(), pending_.size()); });
  if (wrote < 0 && errno != EAGAIN) return Stop();
  if (wrote > 0) pending_.erase(0, static_cast<size_t>(wrote));
  if (pending_.empty()) {
    loop_.Unwatch(pipe_.get());
    return Resume();
  }
  loop_.Unwatch(terminal_);
  loop_.Watch(pipe_.get(), EPOLLOUT, [this] { WritePipe(); });
}

void StdinRelay::Stop() {
  loop_.Unwatch(terminal_);
  loop_.Unwatch(pipe_.get());
  pipe_.Reset();
}

}  // namespace gasnet::job
