// The supervisor's part in the end of a job: what counts as a reason, and what
// the phases of ExitPolicy ask for.
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "core/job/process_status.h"
#include "core/job/supervisor.h"

namespace gasnet::job {
namespace {

// A channel that closes early is mostly a process that has just ended, which is
// told another way; how long that may take.
constexpr int64_t kLostNanos = 250 * kNanosPerMilli;

constexpr size_t kNamesInOneMessage = 8;

}  // namespace

void Supervisor::OnExit(uint32_t rank, int code) {
  if (std::exchange(states_[rank].left, true)) return;
  SayVerbose(absl::StrCat(Name(rank), " called gasnet_exit(", code, ")"));
  // What its process ends with: 256 is success.
  policy_.Left(code & 0xff, NowNanos());
}

void Supervisor::OnEnded(uint32_t rank, int wait_status) {
  SayVerbose(absl::StrCat(Name(rank), " ", DescribeStatus(wait_status)));
  states_[rank].lost_deadline = EventLoop::kNever;
  states_[rank].ended = true;
  if (!std::exchange(states_[rank].left, true)) {
    EndedByItself(rank, wait_status);
  }
  policy_.Gone();
}

void Supervisor::EndedByItself(uint32_t rank, int wait_status) {
  const int code = CodeOfStatus(wait_status);
  if (end_frame_ != nullptr) return;
  if (WIFSIGNALED(wait_status)) return Crashed(rank, wait_status);
  const std::string note =
      absl::StrCat(Name(rank), " ", DescribeStatus(wait_status));
  if (states_[rank].joined) {
    if (left_note_.empty()) left_note_ = note + " without calling gasnet_exit";
    policy_.Left(code, NowNanos());
  } else {
    policy_.LeftAlone(code, NowNanos());
    NoteMissing(std::max(code, 1), note + " before it called gasnet_init");
  }
}

void Supervisor::Crashed(uint32_t rank, int wait_status) {
  crashed_ = true;
  Fail(CodeOfStatus(wait_status),
       absl::StrCat(Name(rank), " ", DescribeStatus(wait_status)));
}

void Supervisor::OnHostSays(const std::string& line) { output_.Say(line); }

void Supervisor::OnHostFailed(uint32_t host, int code, const std::string& why) {
  crashed_ = true;
  Fail(code, why);
  for (uint32_t rank = 0; rank < plan_.size; ++rank) {
    RankState& state = states_[rank];
    if (HostOf(rank) != host || std::exchange(state.ended, true)) continue;
    state.left = true;
    state.lost_deadline = EventLoop::kNever;
    policy_.Gone();
  }
}

void Supervisor::OnChannelClosed(uint32_t rank, const std::string& why) {
  if (states_[rank].left) return;
  if (why.empty()) {
    states_[rank].lost_deadline = NowNanos() + kLostNanos;
    return;
  }
  const std::string note = absl::StrCat("the control channel of ", Name(rank),
                                        " was dropped: ", why);
  if (states_[rank].joined) return Fail(1, note);
  if (joined_ == 0) output_.Say(note);
  NoteMissing(1, note);
}

void Supervisor::CheckLostChannels(int64_t now) {
  for (uint32_t rank = 0; rank < plan_.size; ++rank) {
    if (now < states_[rank].lost_deadline) continue;
    states_[rank].lost_deadline = EventLoop::kNever;
    const std::string note =
        absl::StrCat(Name(rank), " closed its control channel but goes on");
    if (states_[rank].joined) {
      Fail(1, note);
    } else {
      NoteMissing(1, note);
    }
  }
}

void Supervisor::CheckTimeout(int64_t now) {
  if (now < timeout_at_) return;
  timeout_at_ = EventLoop::kNever;
  output_.Say(
      absl::StrCat("the time limit of ",
                   static_cast<double>(plan_.timeout_nanos) / kNanosPerSecond,
                   " s is over; ending the job"));
  policy_.Interrupted(kTimeoutCode, now);
}

void Supervisor::CheckOutput(int64_t now) {
  for (const Stream stream : kStreams) {
    const bool has_room = !output_.IsBackedUp(stream);
    if (!has_room) policy_.AwaitReader(now);
    if (std::exchange(reading_[stream], has_room) != has_room) {
      for (const auto& host : hosts_) host->SetReading(stream, has_room);
    }
  }
  const int error = output_.stdout_error();
  if (error == 0 || end_frame_ != nullptr) return;
  if (error == EPIPE) return policy_.Failed(128 + SIGPIPE, now);
  Fail(kLauncherFailureCode,
       absl::StrCat("cannot write standard output: ", strerror(error)));
}

void Supervisor::Fail(int code, const std::string& why) {
  if (end_frame_ == nullptr && !why.empty()) output_.Say(why);
  policy_.Failed(code, NowNanos());
}

void Supervisor::FollowPolicy() {
  if (policy_.phase() >= ExitPolicy::Phase::kEnding && end_frame_ == nullptr) {
    end_frame_ = std::make_shared<const std::string>(
        EncodeEnd({.code = policy_.code() & 0xff, .why = left_note_}));
    for (uint32_t rank = 0; rank < plan_.size; ++rank) TellEnd(rank);
  }
  if (policy_.phase() == ExitPolicy::Phase::kKilling && !killed_) KillAll();
}

void Supervisor::TellEnd(uint32_t rank) {
  if (states_[rank].left) return;
  if (!left_note_.empty()) {
    output_.Say(left_note_ + "; ending the others");
    left_note_.clear();
  }
  hosts_[HostOf(rank)]->TellEnd(rank, end_frame_);
}

void Supervisor::KillAll() {
  killed_ = true;
  std::string names;
  size_t count = 0;
  for (uint32_t rank = 0; rank < plan_.size; ++rank) {
    if (states_[rank].ended) continue;
    if (++count <= kNamesInOneMessage) {
      absl::StrAppend(&names, count == 1 ? "" : ", ", Name(rank));
    }
  }
  for (const auto& host : hosts_) host->SignalGroups(SIGKILL);
  if (count > kNamesInOneMessage) {
    absl::StrAppend(&names, " and ", count - kNamesInOneMessage, " more");
  }
  if (count > 0) output_.Say(names + " did not end in time: killed");
}

}  // namespace gasnet::job
