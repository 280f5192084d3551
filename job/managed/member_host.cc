#include "job/managed/member_host.h"

#include <signal.h>

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "job/tuning.h"

namespace gasnet::job {

// One member and its stream.
class MemberHost::MemberLink : public FrameStream::Listener {
 public:
  MemberLink(MemberHost& host, uint32_t rank, UniqueFd socket, EventLoop& loop)
      : host_(host),
        rank_(rank),
        stream_(std::move(socket), LimitsAfterMember(), loop, *this) {}

  void OnFrame(const job::Frame& frame) override {
    Note note;
    if (!DecodeNote(frame.payload, note) || note.rank != rank_) {
      return host_.Lose(*this);
    }
    host_.TakeNote(*this, frame.type, note);
  }
  void OnStreamEnd(FrameStream::End) override { host_.Lose(*this); }

  void Send(FrameType type, const Note& note) {
    stream_.Send(EncodeNote(type, note));
  }

  uint32_t rank() const { return rank_; }
  FrameStream& stream() { return stream_; }

  ReportedRank reported;
  bool finished = false;

 private:
  MemberHost& host_;
  const uint32_t rank_;
  FrameStream stream_;
};

MemberHost::MemberHost(uint32_t number, const std::vector<uint32_t>& host_of,
                       Roster& roster, EventLoop& loop, HostObserver& observer,
                       SignalTaker take_signal)
    : number_(number),
      observer_(observer),
      take_signal_(std::move(take_signal)) {
  std::set<uint32_t> cpus;
  for (uint32_t rank = 0; rank < host_of.size(); ++rank) {
    if (host_of[rank] != number) continue;
    const MemberHello& hello = roster[rank].hello;
    if (links_.empty()) {
      name_ = hello.name;
      place_ = {.pid = hello.pid, .memory_fd = hello.memory_fd};
    }
    // Counts each CPU once. A launcher may have bound each member to some CPUs,
    // and some CPUs may occur several times.
    cpus.insert(hello.cpus.begin(), hello.cpus.end());
    links_.push_back(std::make_unique<MemberLink>(
        *this, rank, std::move(roster[rank].stream), loop));
  }
  cpus_ = static_cast<uint32_t>(cpus.size());
}

MemberHost::~MemberHost() = default;

absl::StatusOr<std::optional<Handoff>> MemberHost::Start() {
  for (const auto& link : links_) link->stream().Send(EncodePlace(place_));
  return std::nullopt;
}

MemberHost::MemberLink* MemberHost::Find(uint32_t rank) {
  const auto found =
      std::find_if(links_.begin(), links_.end(),
                   [rank](const auto& link) { return link->rank() == rank; });
  return found == links_.end() ? nullptr : found->get();
}

void MemberHost::SendToOpen(FrameType type, const Note& note) {
  for (const auto& link : links_) link->Send(type, note);
}

void MemberHost::SendToAll(Frame frame) {
  const auto head = std::make_shared<const std::string>(
      EncodeNoteHead(FrameType::kToRanks, frame->size()));
  for (const auto& link : links_) {
    if (!link->reported.joined()) continue;
    link->stream().Send(head);
    link->stream().Send(frame);
  }
}

void MemberHost::SendEnd(uint32_t rank, Frame end) {
  MemberLink* const link = Find(rank);
  if (link != nullptr) link->Send(FrameType::kEndRank, {.bytes = *end});
}

void MemberHost::SignalGroups(int signal_number) {
  SendToOpen(FrameType::kSignalGroups,
             {.value = static_cast<uint32_t>(signal_number)});
  if (signal_number == SIGKILL) patience_ends_ = NowNanos() + kKillNanos;
}

void MemberHost::SignalRanks(int signal_number) {
  SendToOpen(FrameType::kSignalRanks,
             {.value = static_cast<uint32_t>(signal_number)});
}

void MemberHost::Pause() { SignalGroups(SIGSTOP); }
void MemberHost::Continue() { SignalGroups(SIGCONT); }

void MemberHost::AskStatus() {
  for (uint32_t place = 0; place < links_.size(); ++place) {
    links_[place]->Send(FrameType::kAskStatus, {.value = place});
  }
}

void MemberHost::Expire(int64_t now) {
  if (now < patience_ends_) return;
  patience_ends_ = kNever;
  for (const auto& link : links_) {
    if (!link->finished) Lose(*link);
  }
}

void MemberHost::CleanUp() {
  for (const auto& link : links_) {
    if (!link->finished) link->Send(FrameType::kFinish, {});
  }
  patience_ends_ = NowNanos() + kKillNanos;
}

bool MemberHost::IsClean() const {
  return std::all_of(links_.begin(), links_.end(),
                     [](const auto& link) { return link->finished; });
}

void MemberHost::Release(int code) {
  SendToOpen(FrameType::kRelease, {.value = static_cast<uint32_t>(code)});
  const int64_t deadline = NowNanos() + kFinalFlushNanos;
  for (const auto& link : links_) link->stream().Flush(deadline);
}

void MemberHost::TakeNote(MemberLink& link, FrameType type, const Note& note) {
  if (type == FrameType::kMemberSignal) {
    take_signal_(static_cast<int>(note.value & 0x7f));
  } else if (type == FrameType::kAgentFailed) {
    Fail(static_cast<int>(note.value & 0xff),
         absl::StrCat("rank ", link.rank(), " (", name_,
                      "): ", std::string(note.bytes)));
  } else if (type == FrameType::kFinished) {
    link.finished = true;
  } else if (!has_failed_ && !link.reported.Take(type, note, observer_)) {
    Lose(link);
  }
}

// Handles the loss of a member. The member's rank counts as killed by SIGKILL.
void MemberHost::Lose(MemberLink& link) {
  link.stream().Close();
  link.finished = true;
  if (!has_failed_) link.reported.Lose(link.rank(), observer_);
}

void MemberHost::Fail(int code, const std::string& why) {
  if (std::exchange(has_failed_, true)) return;
  SignalGroups(SIGKILL);
  observer_.OnHostFailed(number_, code, why);
}

}  // namespace gasnet::job
