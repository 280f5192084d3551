#include "tools/gasnetrun/remote/relayed_ssh.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

#include <string_view>
#include <utility>

#include "base/unique_fd.h"

namespace gasnet::gasnetrun {
namespace {

using job::FrameType;

// One descriptor is watched for one thing.
UniqueFd Duplicate(const UniqueFd& socket) {
  return UniqueFd(fcntl(socket.get(), F_DUPFD_CLOEXEC, 3));
}

}  // namespace

RelayedSsh::RelayedSsh(uint32_t number, job::EventLoop& loop, Sender send,
                       LineTaker on_line)
    : number_(number),
      loop_(loop),
      send_(std::move(send)),
      on_line_(std::move(on_line)) {}

absl::Status RelayedSsh::Start(const std::vector<std::string>& words) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return absl::ErrnoToStatus(errno, "socketpair");
  }
  output_.Reset(ends[0]);
  UniqueFd out(ends[1]);
  input_ = Duplicate(output_);
  UniqueFd in = Duplicate(out);
  if (!input_.valid() || !in.valid()) {
    return absl::ErrnoToStatus(errno, "dup");
  }
  const auto tell = [this](FrameType type, uint32_t value,
                           std::string_view bytes) {
    send_(type, {.rank = number_, .value = value, .bytes = bytes});
  };
  end_.emplace(std::move(in), std::move(out), loop_, tell);
  send_(FrameType::kRelayStart,
        {.rank = number_, .bytes = EncodeWords(words)});
  return absl::OkStatus();
}

bool RelayedSsh::TakeNote(FrameType type, const Note& note) {
  if (!end_.has_value() || status_.has_value()) return false;
  switch (type) {
    case FrameType::kRelayData:
      return end_->TakeData(note.bytes);
    case FrameType::kRelayTaken:
      return end_->TakeCredit(note.value);
    case FrameType::kRelaySaid:
      on_line_(note.bytes);
      return true;
    case FrameType::kRelayEnded:
      return TakeEnd(note);
    default:
      return false;
  }
}

bool RelayedSsh::TakeEnd(const Note& note) {
  if (!note.bytes.empty()) on_line_(note.bytes);
  status_ = static_cast<int>(note.value);
  return true;
}

std::optional<int> RelayedSsh::Poll() {
  if (!end_.has_value() || !end_->HasWrittenAll()) return std::nullopt;
  return status_;
}

void RelayedSsh::Kill() {
  if (!end_.has_value() || status_.has_value()) return;
  send_(FrameType::kRelayKill, {.rank = number_});
}

void RelayedSsh::Reap() { end_.reset(); }

}  // namespace gasnet::gasnetrun
