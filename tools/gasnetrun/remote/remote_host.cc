#include "tools/gasnetrun/remote/remote_host.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "job/launch/exit_policy.h"
#include "job/tuning.h"

namespace gasnet::gasnetrun {

using job::FrameType;
using job::kKillNanos;

RemoteHost::RemoteHost(const job::HostSurroundings& surroundings,
                       std::shared_ptr<const RemotePlan> plan, uint32_t number,
                       std::string name, RemoteHost* through,
                       job::HostObserver& observer)
    : surroundings_(surroundings),
      plan_(std::move(plan)),
      number_(number),
      name_(std::move(name)),
      observer_(observer),
      own_ssh_(surroundings.loop, surroundings.offspring,
               [this](std::string_view line) { TakeSshLine(line); }),
      through_(through) {
  if (through_ != nullptr) through_->branches_.emplace(number_, this);
  const auto& host_of = surroundings.plan.host_of;
  for (uint32_t rank = 0; rank < host_of.size(); ++rank) {
    if (host_of[rank] == number_) ranks_.emplace(rank, job::ReportedRank());
  }
}

absl::StatusOr<std::optional<job::Handoff>> RemoteHost::Start() {
  state_ = State::kWaiting;
  if (through_ == nullptr) plan_->gate->Enter([this] { Connect(); });
  return std::nullopt;
}

void RemoteHost::Connect() {
  gate_ = through_ == nullptr ? plan_->gate.get() : &through_->branch_gate_;
  if (state_ != State::kWaiting) return LeaveGate();
  if (through_ != nullptr) {
    relayed_ssh_.emplace(
        number_, CountReached(), surroundings_.loop,
        [way = through_](FrameType type, const Note& note) {
          way->Send(type, note);
        },
        [this](std::string_view line) { TakeSshLine(line); });
    ssh_ = &*relayed_ssh_;
  }
  const absl::Status started = ssh_->Start(Command());
  if (!started.ok()) {
    return Fail(
        job::kLauncherFailureCode,
        absl::StrCat(
            "cannot start '", plan_->ssh.command.front(),
            plan_->ssh.way == AgentWay::kSsh ? "' (GASNET_SSH_CMD): " : "': ",
            std::string(started.message())));
  }
  state_ = State::kConnecting;
  stream_.emplace(ssh_->TakeOutput(), ssh_->TakeInput(), kAgentPreamble,
                  LimitsBeforeAgentHello(), plan_->ssh.silence_nanos,
                  surroundings_.loop, *this);
  if (ranks_.contains(0)) {
    input_.emplace(STDIN_FILENO, surroundings_.loop,
                   [this](std::string_view bytes) { TakeInput(bytes); });
  }
}

void RemoteHost::LeaveGate() {
  StartGate* const gate = std::exchange(gate_, nullptr);
  if (gate != nullptr) gate->Leave();
}

void RemoteHost::Send(FrameType type, const Note& note) {
  if (state_ == State::kRunning) stream_->Send(EncodeNote(type, note));
}

// Sends a frame. The frame may be large, so all hosts share one copy.
void RemoteHost::SendToAll(Frame frame) {
  if (state_ != State::kRunning) return;
  stream_->Send(EncodeNoteHead(FrameType::kToRanks, frame->size()));
  stream_->Send(std::move(frame));
}

void RemoteHost::SendEnd(uint32_t rank, Frame end) {
  // Without an agent, the host has started no rank and never will.
  if (!has_agent_ && state_ != State::kLeaving && state_ != State::kClean) {
    return Fail(EXIT_FAILURE, "");
  }
  Send(FrameType::kEndRank, {.rank = rank, .bytes = *end});
}

void RemoteHost::SignalGroups(int signal_number) {
  Send(FrameType::kSignalGroups,
       {.value = static_cast<uint32_t>(signal_number)});
  if (signal_number == SIGKILL && state_ == State::kRunning) {
    patience_ends_ = NowNanos() + kKillNanos;
  }
}

void RemoteHost::SignalRanks(int signal_number) {
  Send(FrameType::kSignalRanks,
       {.value = static_cast<uint32_t>(signal_number)});
}

// Sends kPause and waits until it is sent: this process stops next.
void RemoteHost::Pause() {
  Send(FrameType::kPause, {});
  const int64_t deadline = NowNanos() + kPauseNanos;
  if (state_ == State::kRunning && through_ == nullptr) {
    stream_->Flush(deadline);
  }
  while (!IsSent() && NowNanos() < deadline) {
    surroundings_.loop.Wait(deadline);
  }
}

void RemoteHost::Continue() {
  Send(FrameType::kContinue, {});
  if (stream_.has_value()) stream_->Resume();
  if (input_.has_value() && state_ == State::kRunning) input_->Want();
}

void RemoteHost::SetReading(job::Stream stream, bool on) {
  Send(FrameType::kReading,
       {.rank = static_cast<uint32_t>(stream), .value = on});
}

bool RemoteHost::HasOpenOutput() const {
  return state_ == State::kRunning && !is_drained_;
}

void RemoteHost::TakeInput(std::string_view bytes) {
  Send(FrameType::kInput, {.bytes = bytes});
}

bool RemoteHost::AllEnded() const {
  return std::all_of(ranks_.begin(), ranks_.end(),
                     [](const auto& rank) { return rank.second.ended(); });
}

void RemoteHost::PollAll() {
  const std::optional<int> status = ssh_->Poll();
  if (status.has_value()) OnSshEnded(*status);
}

int64_t RemoteHost::deadline() const {
  const int64_t silence = stream_.has_value() ? stream_->deadline() : kNever;
  return std::min(patience_ends_, silence);
}

void RemoteHost::Expire(int64_t now) {
  if (stream_.has_value()) {
    if (through_ != nullptr && through_->IsOverdue(now)) stream_->Excuse(now);
    stream_->Expire(now);
  }
  // If another host's agent runs the ssh, no signal tells this process that the
  // ssh has ended.
  if (through_ != nullptr) PollAll();
  if (now < patience_ends_) return;
  patience_ends_ = kNever;
  switch (state_) {
    case State::kRunning:
      if (!AllEnded()) Fail(job::kLauncherFailureCode, "");
      return;
    case State::kLost:
      // Kills ssh if it has not ended. The wait status of ssh then shows the
      // reason for the loss.
      return is_killed_ ? GiveUpSsh() : KillSsh();
    default:
      if (is_killed_) return GiveUpSsh();
      Leave(kNever);
      KillSsh();
  }
}

void RemoteHost::CleanUp() {
  switch (state_) {
    case State::kIdle:
    case State::kWaiting:
      return BecomeClean();
    case State::kRunning:
      wants_finish_ = HasBranches();
      if (wants_finish_) return;
      Send(FrameType::kFinish, {});
      state_ = State::kFinishing;
      patience_ends_ = NowNanos() + kKillNanos;
      return;
    case State::kConnecting:
    case State::kLost:
      Leave(kNever);
      return KillSsh();
    case State::kFinishing:
    case State::kLeaving:
    case State::kClean:
      return;
  }
}

void RemoteHost::Leave(int64_t patience_nanos) {
  wants_finish_ = false;
  LoseBranches();
  LeaveGate();
  if (stream_.has_value()) stream_->Close();
  if (input_.has_value()) input_->Stop();
  patience_ends_ =
      patience_nanos == kNever ? kNever : NowNanos() + patience_nanos;
  state_ = State::kLeaving;
  if (!ssh_->IsThere()) BecomeClean();
}

void RemoteHost::BecomeClean() {
  if (std::exchange(state_, State::kClean) == State::kClean) return;
  if (through_ != nullptr) through_->OnBranchClean();
}

// Kills ssh. If ssh is a child of this process, it certainly ends. If another
// host's agent runs the ssh, that agent may not obey. So there is a time limit.
void RemoteHost::KillSsh() {
  if (!ssh_->IsThere()) return;
  ssh_->Kill();
  is_killed_ = true;
  if (through_ != nullptr) patience_ends_ = NowNanos() + kKillNanos;
}

void RemoteHost::GiveUpSsh() {
  ssh_->Reap();
  if (state_ == State::kLost) {
    return Fail(job::kLauncherFailureCode, WhyLost(SIGKILL));
  }
  Leave(kNever);
}

void RemoteHost::Fail(int code, const std::string& why) {
  plan_->gate->Close();
  // Reports this host before its branches: its failure is the reason why they
  // are lost.
  if (!std::exchange(has_failed_, true)) {
    observer_.OnHostFailed(number_, code, why);
  }
  Leave(kNever);
  KillSsh();
}

}  // namespace gasnet::gasnetrun
