#include "job/managed/enrollment.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/syscall.h"
#include "job/managed/head_address.h"
#include "job/tuning.h"

namespace gasnet::job {

Enrollment::Enrollment(int listener, const Secret& secret, uint32_t size)
    : listener_(listener), secret_(secret), roster_(size) {}

std::optional<Roster> Enrollment::Await() {
  if (!loop_.valid()) return std::nullopt;
  loop_.Watch(listener_, EPOLLIN, [this] { Accept(); });
  while (enrolled_ < roster_.size() && !has_lost_one_) {
    loop_.Wait(strangers_.empty() ? kNever : strangers_.front()->deadline);
    Expire(NowNanos());
  }
  if (has_lost_one_) return std::nullopt;
  return std::move(roster_);
}

void Enrollment::Accept() {
  for (int accepted = 0; accepted < kAcceptsAtOnce; ++accepted) {
    UniqueFd stream(
        accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!stream.valid()) {
      const bool is_out_of_descriptors = errno == EMFILE || errno == ENFILE;
      if (is_out_of_descriptors && !strangers_.empty()) {
        Drop(*strangers_.front());
      }
      return;
    }
    Greet(std::move(stream));
  }
}

void Enrollment::Greet(UniqueFd stream) {
  SetUpControlSocket(stream.get());
  strangers_.emplace_back(new Stranger{
      std::move(stream), ProvenReader(LimitsBeforeMember(), secret_),
      NowNanos() + kHelloNanos});
  Stranger* const stranger = strangers_.back().get();
  loop_.Watch(stranger->stream.get(), EPOLLIN,
              [this, stranger] { Read(*stranger); });
  Read(*stranger);
  if (strangers_.size() > kMaxStrangers + roster_.size()) {
    Drop(*strangers_.front());
  }
}

void Enrollment::Read(Stranger& stranger) {
  char bytes[1024];
  Frame frame;
  auto result = ProvenReader::Result::kNeedMore;
  while (result == ProvenReader::Result::kNeedMore) {
    const size_t most = std::min(sizeof bytes, stranger.reader.Appetite());
    const ssize_t got = RetryOnEintr(
        [&] { return recv(stranger.stream.get(), bytes, most, 0); });
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return Drop(stranger);
    stranger.reader.Append({bytes, static_cast<size_t>(got)});
    result = stranger.reader.Next(frame);
  }
  if (result != ProvenReader::Result::kFrame || !Enroll(stranger, frame)) {
    Drop(stranger);
  }
}

bool Enrollment::Enroll(Stranger& stranger, const Frame& frame) {
  MemberHello hello;
  if (!DecodeMemberHello(frame.payload, hello) ||
      hello.rank >= roster_.size() || roster_[hello.rank].stream.valid() ||
      stranger.reader.InMiddle()) {
    return false;
  }
  EnrolledMember& member = roster_[hello.rank];
  member.hello = std::move(hello);
  ++enrolled_;
  loop_.Unwatch(stranger.stream.get());
  member.stream = std::move(stranger.stream);
  // A member sends nothing before it gets PLACE. If its stream is readable now,
  // the member has left.
  loop_.Watch(member.stream.get(), EPOLLIN, [this] { has_lost_one_ = true; });
  Drop(stranger);
  return true;
}

void Enrollment::Drop(Stranger& stranger) {
  if (stranger.stream.valid()) loop_.Unwatch(stranger.stream.get());
  std::erase_if(strangers_,
                [&](const auto& other) { return other.get() == &stranger; });
}

void Enrollment::Expire(int64_t now) {
  while (!strangers_.empty() && now >= strangers_.front()->deadline) {
    Drop(*strangers_.front());
  }
}

}  // namespace gasnet::job
