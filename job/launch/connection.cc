#include "job/launch/connection.h"

#include <errno.h>
#include <sys/socket.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/syscall.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

bool WouldBlock(ssize_t result) {
  return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace

Connection::Connection(UniqueFd stream, const Secret& secret,
                       int64_t hello_nanos, int64_t patience_begins,
                       Listener& listener)
    : stream_(std::move(stream)),
      hello_nanos_(hello_nanos),
      listener_(listener),
      reader_(LimitsBeforeHello(), secret),
      deadline_(patience_begins == kNever ? kNever
                                          : patience_begins + hello_nanos) {}

void Connection::Readable(int64_t now) {
  while (state_ != State::kClosed) {
    char bytes[kReceiveBytes];
    const size_t most = std::min(sizeof bytes, reader_.Appetite());
    const ssize_t got =
        RetryOnEintr([&] { return recv(fd(), bytes, most, MSG_DONTWAIT); });
    if (WouldBlock(got)) return;
    if (got <= 0) return Close(reader_.InMiddle() ? "it ended in a frame" : "");
    reader_.Append({bytes, static_cast<size_t>(got)});
    NoteGreeting(now);
    TakeFrames();
  }
}

void Connection::NoteGreeting(int64_t now) {
  if (state_ != State::kSilent) return;
  state_ = State::kGreeting;
  if (deadline_ == kNever) deadline_ = now + hello_nanos_;
}

void Connection::TakeFrames() {
  Frame frame;
  while (state_ != State::kClosed) {
    switch (reader_.Next(frame)) {
      case ProvenReader::Result::kNeedMore:
        return;
      case ProvenReader::Result::kBad:
        return Close("it sent something that is not the control protocol");
      case ProvenReader::Result::kWrongProof:
        return Close("its secret is wrong");
      case ProvenReader::Result::kFrame:
        if (state_ == State::kJoined) {
          TakeJoinedFrame(frame);
        } else {
          TakeHello(frame);
        }
    }
  }
}

void Connection::TakeHello(const Frame& frame) {
  Hello hello;
  if (!DecodeHello(frame.payload, hello))
    return Close("its HELLO is malformed");
  if (hello.version != kProtocolVersion) {
    return Close(absl::StrCat("it speaks version ", hello.version,
                              " of the control protocol, the launcher version ",
                              kProtocolVersion));
  }
  state_ = State::kJoined;
  deadline_ = kNever;
  reader_.SetLimits(LimitsAfterHello());
  if (!listener_.OnHello(hello)) Close("its HELLO is not expected here");
}

void Connection::TakeJoinedFrame(const Frame& frame) {
  GatherPart part;
  int32_t code;
  RankStatistics statistics;
  if (frame.type == FrameType::kGather && DecodeGather(frame.payload, part)) {
    listener_.OnGather(part);
  } else if (frame.type == FrameType::kExit &&
             DecodeExit(frame.payload, code)) {
    listener_.OnExit(code);
  } else if (frame.type == FrameType::kStatistics &&
             Decode(frame.payload, statistics)) {
    listener_.OnStatistics(statistics);
  } else {
    Close("it sent a malformed frame");
  }
}

void Connection::Expire(int64_t now) {
  if (now >= deadline_) Close("its HELLO did not arrive in time");
}

void Connection::Send(std::shared_ptr<const std::string> frame) {
  if (state_ == State::kClosed) return;
  outbox_.push_back(std::move(frame));
  Writable();
}

// Writes as much as the peer accepts. Errors are ignored, because the next read
// reports that the peer is gone.
void Connection::Writable() {
  while (WantsWrite()) {
    const std::string& frame = *outbox_.front();
    const ssize_t sent = RetryOnEintr([&] {
      return send(fd(), frame.data() + sent_of_first_,
                  frame.size() - sent_of_first_, MSG_DONTWAIT | MSG_NOSIGNAL);
    });
    if (WouldBlock(sent)) return;
    if (sent < 0) return outbox_.clear();
    sent_of_first_ += static_cast<size_t>(sent);
    if (sent_of_first_ < frame.size()) continue;
    outbox_.pop_front();
    sent_of_first_ = 0;
  }
}

void Connection::Close(const std::string& why) {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  deadline_ = kNever;
  outbox_.clear();
  listener_.OnClosed(why);
  stream_.Reset();
}

}  // namespace gasnet::job
