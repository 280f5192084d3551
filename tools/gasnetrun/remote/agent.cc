#include "tools/gasnetrun/remote/agent.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/syscall.h"
#include "job/launch/exit_policy.h"
#include "job/launch/process_status.h"
#include "job/tuning.h"
#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {
namespace {

using job::FrameType;

// Moves a descriptor to a new number and closes it on exec, so ranks do not
// inherit it. Puts a copy of `replacement` under the old number.
UniqueFd TakeAway(int fd, int replacement) {
  UniqueFd taken(fcntl(fd, F_DUPFD_CLOEXEC, 3));
  dup2(replacement, fd);
  return taken;
}

}  // namespace

int RunAgent() {
  const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  UniqueFd in = TakeAway(STDIN_FILENO, null.get());
  UniqueFd out = TakeAway(STDOUT_FILENO, STDERR_FILENO);
  return Agent(std::move(in), std::move(out)).Run();
}

Agent::Agent(UniqueFd in, UniqueFd out)
    : stream_(std::move(in), std::move(out), "", LimitsBeforeStart(),
              kDefaultSilenceNanos, loop_, *this) {}

int Agent::Run() {
  if (!signals_.valid() || !loop_.valid()) return job::kLauncherFailureCode;
  loop_.Watch(signals_.fd(), EPOLLIN, [this] { TakeSignals(); });
  stream_.Send(std::string(kAgentPreamble));
  stream_.Send(EncodeAgentHello({.cpus = OnlineCpus()}));
  while (state_ != State::kEnded) {
    const int64_t ranks = ranks_ ? ranks_->deadline() : kNever;
    loop_.Wait(std::min(stream_.deadline(), ranks));
    const int64_t now = NowNanos();
    if (ranks_ != nullptr) ranks_->Expire(now);
    stream_.Expire(now);
    if (state_ != State::kRunning) continue;
    relays_->Advance();
    UpdateReading();
    ReportIfDrained();
  }
  stream_.Flush(NowNanos() + job::kFinalFlushNanos);
  return code_;
}

void Agent::Report(FrameType type, const Note& note) {
  stream_.Send(EncodeNote(type, note));
}

void Agent::OnStarted(uint32_t rank, pid_t pid) {
  ++running_;
  RankReporter::OnStarted(rank, pid);
}

void Agent::OnOutput(uint32_t rank, job::Stream stream,
                     std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view piece = lines.substr(0, kMaxOutputBytes);
    RankReporter::OnOutput(rank, stream, piece);
    output_window_.Send(kNoteFrameBytes + piece.size());
    lines.remove_prefix(piece.size());
  }
}

void Agent::OnEnded(uint32_t rank, int wait_status) {
  --running_;
  RankReporter::OnEnded(rank, wait_status);
}

void Agent::OnFrame(const job::Frame& frame) {
  if (frame.type == FrameType::kStart) return TakeOrder(frame);
  Note note;
  if (state_ != State::kRunning || !DecodeNote(frame.payload, note)) {
    return OnStreamEnd(FrameStream::End::kGarbage);
  }
  TakeNote(frame.type, note);
}

void Agent::TakeNote(FrameType type, const Note& note) {
  const int signal_number = static_cast<int>(note.value);
  switch (type) {
    case FrameType::kToRanks:
      return ranks_->SendToAll(std::make_shared<const std::string>(note.bytes));
    case FrameType::kEndRank:
      if (!ranks_->Has(note.rank)) break;
      return ranks_->SendEnd(note.rank,
                             std::make_shared<const std::string>(note.bytes));
    case FrameType::kSignalGroups:
      if (note.value >= NSIG) break;
      return ranks_->SignalGroups(signal_number);
    case FrameType::kSignalRanks:
      if (note.value >= NSIG) break;
      return ranks_->SignalRanks(signal_number);
    case FrameType::kAskStatus:
      return ranks_->AskStatus();
    case FrameType::kPause:
      stream_.Suspend();
      return ranks_->Pause();
    case FrameType::kContinue:
      stream_.Resume();
      return ranks_->Continue();
    case FrameType::kReading:
      if (note.rank >= wanted_.size()) break;
      wanted_[note.rank] = note.value != 0;
      return;
    case FrameType::kOutputTaken:
      if (output_window_.TakeCredit(note.value)) return;
      break;
    case FrameType::kInput:
      if (input_ == nullptr) break;
      return note.bytes.empty() ? input_->Close() : input_->Write(note.bytes);
    case FrameType::kFinish:
      Finish();
      Report(FrameType::kFinished, {});
      return;
    default:
      if (relays_->TakeNote(type, note)) return;
      break;
  }
  OnStreamEnd(FrameStream::End::kGarbage);
}

// Ends the ranks on this host, for whatever reason the stream ended. If the
// launcher still exists, ssh sends it the message about the reason.
void Agent::OnStreamEnd(FrameStream::End end) {
  if (state_ == State::kEnded) return;
  code_ = EXIT_FAILURE;
  Finish();
  if (end == FrameStream::End::kClosed) return;
  const std::string why =
      end == FrameStream::End::kGarbage
          ? std::string("the input is not from gasnetrun")
          : absl::StrCat(
                "nothing was heard from gasnetrun for ",
                static_cast<double>(stream_.silence_nanos()) / kNanosPerSecond,
                " s (GASNET_HOST_TIMEOUT)");
  dprintf(STDERR_FILENO, "the agent has ended, since %s\n", why.c_str());
}

void Agent::TakeSignals() {
  while (const std::optional<int> signal_number = signals_.Next()) {
    switch (*signal_number) {
      case SIGCHLD:
        if (ranks_ != nullptr) ranks_->PollAll();
        if (relays_.has_value()) relays_->PollAll();
        if (offspring_ != nullptr) offspring_->ReapOrphans();
        break;
      // The launcher gets these signals too, and sends the agent a request for
      // each of them.
      case SIGTSTP:
      case SIGCONT:
      case SIGUSR1:
      case SIGUSR2:
        break;
      default:
        Fail(128 + *signal_number,
             absl::StrCat("the agent there got ",
                          job::SignalName(*signal_number)));
    }
  }
}

void Agent::UpdateReading() {
  const bool has_room = output_window_.room() > 0;
  for (const job::Stream stream : job::kStreams) {
    const bool wants = has_room && wanted_[stream];
    if (std::exchange(reading_[stream], wants) != wants) {
      ranks_->SetReading(stream, wants);
    }
  }
  // The relays' standard error has no window. So it is read only while the
  // backlog is small.
  relays_->SetReading(stream_.backlog() < job::kBackedUpBytes);
}

void Agent::ReportIfDrained() {
  if (running_ > 0 || ranks_->HasOpenOutput()) return;
  if (!std::exchange(told_drained_, true)) Report(FrameType::kDrained, {});
}

void Agent::Finish() {
  if (state_ == State::kEnded) return;
  state_ = State::kEnded;
  if (relays_.has_value()) relays_->CleanUp();
  if (ranks_ != nullptr) ranks_->CleanUp();
  if (offspring_ != nullptr) offspring_->CleanUp();
}

void Agent::Fail(int code, const std::string& why) {
  if (state_ == State::kEnded) return;
  Finish();
  code_ = code;
  Report(FrameType::kAgentFailed,
         {.value = static_cast<uint32_t>(code), .bytes = why});
}

}  // namespace gasnet::gasnetrun
