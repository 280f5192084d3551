#include "tools/gasnetrun/remote/relayed_ssh.h"

#include <string_view>
#include <utility>

#include "tools/gasnetrun/remote/pipe.h"

namespace gasnet::gasnetrun {

using job::FrameType;

RelayedSsh::RelayedSsh(uint32_t number, uint32_t hosts, job::EventLoop& loop,
                       Sender send, LineTaker on_line)
    : number_(number),
      window_(RelayWindow(hosts)),
      loop_(loop),
      send_(std::move(send)),
      on_line_(std::move(on_line)) {}

absl::Status RelayedSsh::Start(const std::vector<std::string>& words) {
  auto in = MakePipe(), out = MakePipe();
  for (const auto* pipe : {&in, &out}) {
    if (!pipe->ok()) return pipe->status();
  }
  input_ = std::move(in->write);
  output_ = std::move(out->read);
  const auto send = [this](FrameType type, uint32_t value,
                           std::string_view bytes) {
    send_(type, {.rank = number_, .value = value, .bytes = bytes});
  };
  end_.emplace(window_, std::move(in->read), std::move(out->write), loop_,
               send);
  send_(FrameType::kRelayStart,
        {.rank = number_, .value = window_, .bytes = EncodeWords(words)});
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
