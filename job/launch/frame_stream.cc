#include "job/launch/frame_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/syscall.h"
#include "job/tuning.h"
#include "job/wire/note.h"

namespace gasnet::job {
namespace {

// The permitted silence of a stream without a heartbeat: practically no limit.
// A quarter of kNever, so that sums of times do not overflow.
constexpr int64_t kNoBeatsNanos = kNever / 4;

// Returns a duplicate of the descriptor. The event loop watches a descriptor in
// one direction only, so each direction needs its own descriptor.
UniqueFd Duplicate(const UniqueFd& socket) {
  return UniqueFd(fcntl(socket.get(), F_DUPFD_CLOEXEC, 3));
}

}  // namespace

FrameStream::FrameStream(UniqueFd in, UniqueFd out, std::string_view preamble,
                         const FrameLimits& limits, int64_t silence_nanos,
                         EventLoop& loop, Listener& listener)
    : in_(std::move(in)),
      out_(std::move(out)),
      preamble_(preamble),
      is_skipping_(!preamble.empty()),
      reader_(limits),
      silence_nanos_(silence_nanos),
      loop_(loop),
      listener_(listener),
      heard_at_(NowNanos()),
      said_at_(heard_at_) {
  SetNonBlocking(in_.get());
  SetNonBlocking(out_.get());
  loop_.Watch(in_.get(), EPOLLIN, [this] { Readable(); });
}

// Braces fix the order of evaluation, unlike parentheses. The socket must be
// duplicated before it is moved.
FrameStream::FrameStream(UniqueFd socket, const FrameLimits& limits,
                         EventLoop& loop, Listener& listener)
    : FrameStream{
          Duplicate(socket), std::move(socket), "", limits, kNoBeatsNanos, loop,
          listener} {}

FrameStream::~FrameStream() { Close(); }

void FrameStream::SetSilence(int64_t nanos) {
  silence_nanos_ = nanos;
  Resume();
}

void FrameStream::Resume() {
  is_suspended_ = false;
  heard_at_ = NowNanos();
}

bool FrameStream::Readable() {
  if (!is_open_) return false;
  // static: too large for the stack, and only one thread uses it
  static char bytes[kReadBytes];
  const ssize_t got =
      RetryOnEintr([&] { return read(in_.get(), bytes, sizeof bytes); });
  if (got < 0 && errno == EAGAIN) return false;
  if (got <= 0) {
    EndWith(End::kClosed);
    return false;
  }
  heard_at_ = NowNanos();
  Take({bytes, static_cast<size_t>(got)});
  return true;
}

void FrameStream::Drain() {
  while (Readable()) {
  }
}

void FrameStream::Take(std::string_view bytes) {
  if (is_skipping_ && !SkipPreamble(bytes)) return;
  reader_.Append(bytes);
  Frame frame;
  while (is_open_) {
    switch (reader_.Next(frame)) {
      case FrameReader::Result::kNeedMore:
        return;
      case FrameReader::Result::kBad:
        return EndWith(End::kGarbage);
      case FrameReader::Result::kFrame:
        if (frame.type != FrameType::kBeat) listener_.OnFrame(frame);
    }
  }
}

bool FrameStream::SkipPreamble(std::string_view& bytes) {
  const size_t known = before_preamble_.size();
  before_preamble_ += bytes;
  const size_t at = before_preamble_.find(preamble_);
  if (at == std::string::npos) {
    if (before_preamble_.size() > kLongestBeforePreamble) {
      EndWith(End::kGarbage);
    }
    return false;
  }
  is_skipping_ = false;
  bytes.remove_prefix(at + preamble_.size() - known);
  before_preamble_ = {};
  return true;
}

void FrameStream::Send(std::string frame) {
  Send(std::make_shared<const std::string>(std::move(frame)));
}

void FrameStream::Send(SharedFrame frame) {
  if (!is_open_) return;
  backlog_ += frame->size();
  outbox_.push_back(std::move(frame));
  Write();
}

// Writes queued frames. Errors are ignored. A read reports that the peer is
// gone, once all of the peer's bytes have been read.
void FrameStream::Write() {
  while (!outbox_.empty()) {
    const std::string& frame = *outbox_.front();
    const ssize_t wrote = RetryOnEintr([&] {
      return write(out_.get(), frame.data() + sent_of_first_,
                   frame.size() - sent_of_first_);
    });
    if (wrote < 0 && errno == EAGAIN) break;
    if (wrote < 0) {
      outbox_.clear();
      backlog_ = 0;
      break;
    }
    said_at_ = NowNanos();
    backlog_ -= static_cast<size_t>(wrote);
    sent_of_first_ += static_cast<size_t>(wrote);
    if (sent_of_first_ < frame.size()) continue;
    outbox_.pop_front();
    sent_of_first_ = 0;
  }
  WatchOut();
}

void FrameStream::WatchOut() {
  const bool wants = !outbox_.empty();
  if (std::exchange(watches_out_, wants) == wants) return;
  if (!wants) return loop_.Unwatch(out_.get());
  loop_.Watch(out_.get(), EPOLLOUT, [this] { Write(); });
}

void FrameStream::Flush(int64_t deadline) {
  while (!outbox_.empty()) {
    const int64_t left = deadline - NowNanos();
    if (left <= 0) return;
    pollfd wanted = {.fd = out_.get(), .events = POLLOUT, .revents = 0};
    poll(&wanted, 1, static_cast<int>(left / kNanosPerMilli) + 1);
    Write();
  }
}

void FrameStream::Expire(int64_t now) {
  if (!is_open_ || is_suspended_) return;
  if (now >= heard_at_ + silence_nanos_) return EndWith(End::kSilent);
  if (now < said_at_ + silence_nanos_ / kBeatsInSilence) return;
  said_at_ = now;
  if (outbox_.empty()) Send(EncodeNote(FrameType::kBeat, {}));
}

int64_t FrameStream::deadline() const {
  if (!is_open_ || is_suspended_) return kNever;
  return std::min(heard_at_ + silence_nanos_,
                  said_at_ + silence_nanos_ / kBeatsInSilence);
}

bool FrameStream::IsOverdue(int64_t now) const {
  return !is_open_ || now - heard_at_ > 2 * (silence_nanos_ / kBeatsInSilence);
}

void FrameStream::Excuse(int64_t now) {
  heard_at_ = std::max(heard_at_,
                       now - silence_nanos_ + silence_nanos_ / kBeatsInSilence);
}

void FrameStream::Close() {
  if (!std::exchange(is_open_, false)) return;
  loop_.Unwatch(in_.get());
  if (out_.get() != in_.get()) loop_.Unwatch(out_.get());
  outbox_.clear();
  backlog_ = 0;
  in_.Reset();
  out_.Reset();
}

void FrameStream::EndWith(End end) {
  Close();
  listener_.OnStreamEnd(end);
}

}  // namespace gasnet::job
