#include "tools/gasnetrun/remote/relays.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/gasnetrun/remote/relay_end.h"
#include "tools/gasnetrun/remote/ssh_process.h"

namespace gasnet::gasnetrun {
namespace {

using job::FrameType;

// The wait status of a shell that does not find a program.
constexpr uint32_t kNotStarted = 127 << 8;

}  // namespace

class Relays::Relay {
 public:
  Relay(Relays& relays, uint32_t number)
      : relays_(relays),
        number_(number),
        ssh_(relays.loop_, relays.offspring_, [this](std::string_view line) {
          Report(FrameType::kRelaySaid, 0, line.substr(0, kMaxSaidBytes));
        }) {}

  void Start(const std::vector<std::string>& words, uint32_t window) {
    const absl::Status started = ssh_.Start(words);
    if (!started.ok()) {
      const std::string why =
          absl::StrCat("cannot start '", words.front(),
                       "': ", std::string(started.message()));
      return Report(FrameType::kRelayEnded, kNotStarted,
                    std::string_view(why).substr(0, kMaxSaidBytes));
    }
    end_.emplace(
        window, ssh_.TakeOutput(), ssh_.TakeInput(), relays_.loop_,
        [this](FrameType type, uint32_t value, std::string_view bytes) {
          Report(type, value, bytes);
        });
    SetReading(relays_.is_reading_);
  }

  bool TakeNote(FrameType type, const Note& note) {
    if (!end_.has_value()) return true;
    switch (type) {
      case FrameType::kRelayData:
        return end_->TakeData(note.bytes);
      case FrameType::kRelayTaken:
        return end_->TakeCredit(note.value);
      case FrameType::kRelayKill:
        ssh_.Kill();
        return true;
      default:
        return false;
    }
  }

  void SetReading(bool on) {
    if (end_.has_value()) ssh_.SetReading(on);
  }

  void Poll() {
    if (end_.has_value() && !status_.has_value()) status_ = ssh_.Poll();
  }

  void ReportIfEnded() {
    if (!end_.has_value() || !status_.has_value() || !end_->HasSentAll()) {
      return;
    }
    end_.reset();
    ssh_.CloseErrors();
    Report(FrameType::kRelayEnded, static_cast<uint32_t>(*status_), {});
  }

  void CleanUp() {
    end_.reset();
    ssh_.Kill();
    ssh_.Reap();
  }

 private:
  void Report(FrameType type, uint32_t value, std::string_view bytes) {
    relays_.send_(type, {.rank = number_, .value = value, .bytes = bytes});
  }

  Relays& relays_;
  const uint32_t number_;
  SshProcess ssh_;
  std::optional<RelayEnd> end_;  // while the relay runs
  // wait status of the ssh, once the ssh has ended
  std::optional<int> status_;
};

Relays::Relays(uint32_t limit, job::EventLoop& loop, job::Offspring& offspring,
               Sender send)
    : limit_(limit),
      loop_(loop),
      offspring_(offspring),
      send_(std::move(send)) {}

Relays::~Relays() = default;

bool Relays::TakeNote(FrameType type, const Note& note) {
  if (type == FrameType::kRelayStart) return Start(note);
  const auto relay = relays_.find(note.rank);
  return relay != relays_.end() && relay->second->TakeNote(type, note);
}

bool Relays::Start(const Note& note) {
  std::vector<std::string> words;
  if (relays_.size() >= limit_ || relays_.contains(note.rank) ||
      note.value < kRelayWindow || note.value > kMaxRelayWindow ||
      !DecodeWords(note.bytes, words)) {
    return false;
  }
  auto& relay = relays_[note.rank];
  relay = std::make_unique<Relay>(*this, note.rank);
  relay->Start(words, note.value);
  return true;
}

void Relays::SetReading(bool on) {
  if (std::exchange(is_reading_, on) == on) return;
  for (const auto& [number, relay] : relays_) relay->SetReading(on);
}

void Relays::PollAll() {
  for (const auto& [number, relay] : relays_) relay->Poll();
}

void Relays::Advance() {
  for (const auto& [number, relay] : relays_) relay->ReportIfEnded();
}

void Relays::CleanUp() {
  for (const auto& [number, relay] : relays_) relay->CleanUp();
  relays_.clear();
}

}  // namespace gasnet::gasnetrun
