// Handles the messages of an agent, and the end of the agent's ssh.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/clock.h"
#include "job/launch/exit_policy.h"
#include "job/launch/process_status.h"
#include "job/wire/secret.h"
#include "tools/gasnetrun/remote/agent_command.h"
#include "tools/gasnetrun/remote/remote_host.h"
#include "tools/gasnetrun/remote/tuning.h"
#include "tools/gasnetrun/shell_quote.h"

namespace gasnet::gasnetrun {
namespace {

using job::FrameType;

constexpr char kIsItUp[] = "is it up, and does a firewall let ssh pass?";

// Returns a remedy for the error that ssh reported in `said`. Returns an empty
// string if there is no known remedy.
std::string Advice(const SshSettings& settings, const std::string& said,
                   const std::string& host) {
  if (settings.way != AgentWay::kSsh) {
    return absl::StrCat("may this job use it through ", settings.command[0],
                        ", and is gasnetrun at the same path there?");
  }
  static constexpr std::pair<const char*, const char*> kAdvice[] = {
      {"Permission denied",
       "gasnetrun answers no password prompt; give it a key (ssh-copy-id) or "
       "an ssh agent"},
      {"Host key verification failed",
       "its key is not known here, or has changed; connect to it once by hand"},
      {"Could not resolve", "is the name right? ssh gets it unchanged"},
      {"Connection refused", "does it run an ssh server?"},
      {"timed out", kIsItUp},
      {"No route to host", kIsItUp},
      {"unreachable", kIsItUp},
  };
  for (const auto& [reason, advice] : kAdvice) {
    if (absl::StrContains(said, reason)) return advice;
  }
  return absl::StrCat("is it up, and does 'ssh ", host,
                      " true' work without a question?");
}

}  // namespace

void RemoteHost::OnFrame(const job::Frame& frame) {
  Note note;
  if (frame.type == FrameType::kAgentHello) return TakeHello(frame);
  if (!DecodeNote(frame.payload, note)) {
    return OnStreamEnd(FrameStream::End::kGarbage);
  }
  TakeNote(frame.type, note);
}

void RemoteHost::TakeHello(const job::Frame& frame) {
  AgentHello hello;
  if (state_ != State::kConnecting || !DecodeAgentHello(frame.payload, hello)) {
    return OnStreamEnd(FrameStream::End::kGarbage);
  }
  if (hello.version != kAgentVersion) {
    return Fail(job::kLauncherFailureCode,
                absl::StrCat("host ", name_,
                             ": gasnetrun there is of another "
                             "version (its agents speak version ",
                             hello.version, ", this one ", kAgentVersion,
                             "); install the same one on all hosts"));
  }
  has_agent_ = true;
  state_ = State::kRunning;
  LeaveGate();
  cpus_ = hello.cpus;
  for (const std::string& line : std::exchange(ssh_lines_, {})) {
    TakeSshLine(line);
  }
  StartOrder order = *plan_->order;
  order.secret = surroundings_.secret.bytes();
  order.host = number_;
  order.relays = static_cast<uint32_t>(branches_.size());
  stream_->SetLimits(LimitsAfterAgentHello());
  stream_->Send(EncodeStartOrder(order));
  ConnectBranches();
}

void RemoteHost::TakeNote(FrameType type, const Note& note) {
  switch (type) {
    case FrameType::kAgentFailed:
      return Fail(static_cast<int>(note.value & 0xff),
                  absl::StrCat("host ", name_, ": ", std::string(note.bytes)));
    case FrameType::kDrained:
      is_drained_ = true;
      return;
    case FrameType::kFinished:
      if (state_ == State::kFinishing) return Leave(kSshNanos);
      break;
    case FrameType::kInputTaken:
      if (input_.has_value() && state_ == State::kRunning) input_->Want();
      return;
    case FrameType::kRelayData:
    case FrameType::kRelayTaken:
    case FrameType::kRelaySaid:
    case FrameType::kRelayEnded:
      if (TakeBranchNote(type, note)) return;
      break;
    default:
      if (TakeReport(type, note)) return;
  }
  OnStreamEnd(FrameStream::End::kGarbage);
}

bool RemoteHost::TakeReport(FrameType type, const Note& note) {
  const auto rank = ranks_.find(note.rank);
  if (rank == ranks_.end()) return false;
  if (!rank->second.Take(type, note, observer_)) return false;
  if (type != FrameType::kRankOutput) return true;
  const uint32_t credit = owed_.PassedOn(kNoteFrameBytes + note.bytes.size());
  if (credit > 0) Send(FrameType::kOutputTaken, {.value = credit});
  return true;
}

void RemoteHost::TakeSshLine(std::string_view line) {
  if (!has_agent_) {
    if (ssh_lines_.size() < kSshLinesKept) ssh_lines_.emplace_back(line);
    return;
  }
  // Passes on a line of ssh. If ssh is ending, keeps the line for the message
  // about the end of ssh.
  if (state_ == State::kRunning || state_ == State::kFinishing) {
    observer_.OnHostSays(absl::StrCat("host ", name_, ": ", std::string(line)));
  } else if (ssh_lines_.size() < kSshLinesKept) {
    ssh_lines_.emplace_back(line);
  }
}

void RemoteHost::OnStreamEnd(FrameStream::End end) {
  if (end != FrameStream::End::kClosed && HasDetour()) {
    stream_->Close();
    state_ = State::kLost;
    return KillSsh();
  }
  const double seconds =
      static_cast<double>(plan_->ssh.silence_nanos) / kNanosPerSecond;
  switch (end) {
    case FrameStream::End::kGarbage:
      return Fail(job::kLauncherFailureCode,
                  absl::StrCat("host ", name_,
                               ": its output is not that of an agent of "
                               "gasnetrun"));
    case FrameStream::End::kSilent:
      return Fail(
          job::kLauncherFailureCode,
          absl::StrCat("host ", name_,
                       has_agent_ ? ": nothing was heard from it for "
                                  : ": no agent has answered there for ",
                       seconds, " s (GASNET_HOST_TIMEOUT): ",
                       has_agent_ ? "it, or the network to it, is down"
                                  : Advice(plan_->ssh, "", name_)));
    case FrameStream::End::kClosed:
      break;
  }
  if (state_ == State::kFinishing) return Leave(kSshNanos);
  state_ = State::kLost;
  LeaveGate();
  patience_ends_ = NowNanos() + kSshNanos;
}

void RemoteHost::OnSshEnded(int wait_status) {
  // The agent's last messages may still be in the pipe.
  if (stream_.has_value()) stream_->Drain();
  if (!has_failed_ && state_ != State::kLeaving) {
    if (HasDetour()) return TakeDetour(wait_status);
    Fail(job::kLauncherFailureCode, WhyLost(wait_status));
  }
  ssh_->Reap();
  Leave(kNever);
}

std::string RemoteHost::HowSshEnded(int wait_status) const {
  return absl::StrCat(AgentWayName(plan_->ssh),
                      through_ == nullptr
                          ? std::string()
                          : absl::StrCat(" from host ", through_->name_),
                      " ", job::DescribeStatus(wait_status));
}

std::string RemoteHost::WhyLost(int wait_status) const {
  const std::string said = absl::StrJoin(ssh_lines_, "; ");
  const std::string quoted =
      said.empty() ? std::string() : absl::StrCat(": ", said);
  if (has_agent_) {
    return absl::StrCat("host ", name_,
                        ": the connection to its agent was lost (",
                        HowSshEnded(wait_status), ")", quoted);
  }
  if (job::CodeOfStatus(wait_status) == kNoAgentCode) {
    return absl::StrCat(
        "host ", name_, ": cannot start an agent there", quoted,
        "; install gasnetrun at the same path on all hosts, or name its "
        "directory there with GASNET_SSH_REMOTE_PATH");
  }
  return absl::StrCat("host ", name_, ": cannot start an agent there (",
                      HowSshEnded(wait_status), ")", quoted, "; ",
                      Advice(plan_->ssh, said, name_));
}

}  // namespace gasnet::gasnetrun
