#include "tools/gasnetrun/remote/relay_end.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/syscall.h"
#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {
namespace {

using job::FrameType;

}  // namespace

RelayEnd::RelayEnd(uint32_t window, UniqueFd in, UniqueFd out,
                   job::EventLoop& loop, Sender send)
    : in_(std::move(in)),
      out_(std::move(out)),
      loop_(loop),
      send_(std::move(send)),
      window_(window),
      room_(window) {
  SetNonBlocking(in_.get());
  SetNonBlocking(out_.get());
  WatchIn();
}

RelayEnd::~RelayEnd() {
  CloseIn();
  CloseOut();
}

void RelayEnd::WatchIn() {
  if (!in_.valid()) return;
  if (window_.room() == 0) return loop_.Unwatch(in_.get());
  loop_.Watch(in_.get(), EPOLLIN, [this] { Read(); });
}

void RelayEnd::Read() {
  char bytes[kRelayPieceBytes];
  const size_t wanted = std::min(sizeof bytes, window_.room());
  const ssize_t got =
      RetryOnEintr([&] { return read(in_.get(), bytes, wanted); });
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) {
    CloseIn();
    return send_(FrameType::kRelayData, 0, {});
  }
  window_.Send(static_cast<size_t>(got));
  if (window_.room() == 0) WatchIn();
  send_(FrameType::kRelayData, 0, {bytes, static_cast<size_t>(got)});
}

bool RelayEnd::TakeCredit(uint32_t bytes) {
  const bool was_full = window_.room() == 0;
  if (!window_.TakeCredit(bytes)) return false;
  if (was_full) WatchIn();
  return true;
}

bool RelayEnd::TakeData(std::string_view bytes) {
  if (has_other_ended_ || bytes.size() > room_) return false;
  has_other_ended_ = bytes.empty();
  room_ -= static_cast<uint32_t>(bytes.size());
  waiting_ += bytes;
  Write();
  return true;
}

void RelayEnd::Write() {
  size_t written = 0;
  while (out_.valid() && written < waiting_.size()) {
    const ssize_t wrote = RetryOnEintr([&] {
      return write(out_.get(), waiting_.data() + written,
                   waiting_.size() - written);
    });
    if (wrote < 0 && errno == EAGAIN) break;
    if (wrote < 0) {
      CloseOut();
    } else {
      written += static_cast<size_t>(wrote);
    }
  }
  // If `out` is closed, the bytes in waiting_ will never be read. Drops them.
  if (!out_.valid()) written = waiting_.size();
  waiting_.erase(0, written);
  if (waiting_.empty() && has_other_ended_) CloseOut();
  WatchOut();
  const uint32_t credit = owed_.PassedOn(written);
  if (credit == 0) return;
  room_ += credit;
  send_(FrameType::kRelayTaken, credit, {});
}

void RelayEnd::WatchOut() {
  const bool wants = !waiting_.empty();
  if (std::exchange(watches_out_, wants) == wants || !out_.valid()) return;
  if (!wants) return loop_.Unwatch(out_.get());
  loop_.Watch(out_.get(), EPOLLOUT, [this] { Write(); });
}

bool RelayEnd::HasSentAll() const {
  int waiting = 0;
  return !in_.valid() || ioctl(in_.get(), FIONREAD, &waiting) != 0 ||
         waiting == 0;
}

void RelayEnd::CloseIn() {
  if (in_.valid()) loop_.Unwatch(in_.get());
  in_.Reset();
}

void RelayEnd::CloseOut() {
  if (out_.valid()) loop_.Unwatch(out_.get());
  out_.Reset();
}

}  // namespace gasnet::gasnetrun
