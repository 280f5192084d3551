// The supervisor's part in the end of a job: what counts as a reason, and what
// the phases of ExitPolicy ask for.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "job/launch/process_status.h"
#include "job/launch/supervisor.h"
#include "job/tuning.h"

namespace gasnet::job {

void Supervisor::OnExit(uint32_t rank, int code) {
  if (code == kLeavesByExit) return NoteDeparture(rank);
  if (std::exchange(states_[rank].left, true)) return;
  SayVerbose(absl::StrCat(Name(rank), " called gasnet_exit(", code, ")"));
  policy_.Left(code & 0xff, NowNanos());
}

void Supervisor::OnEnded(uint32_t rank, int wait_status) {
  SayVerbose(absl::StrCat(Name(rank), " ", DescribeStatus(wait_status)));
  states_[rank].lost_deadline = kNever;
  states_[rank].ended = true;
  const bool had_left = std::exchange(states_[rank].left, true);
  if (WIFSIGNALED(wait_status)) {
    Crashed(rank, wait_status);
  } else if (!had_left) {
    EndedByItself(rank, wait_status);
  }
  policy_.Gone();
}

void Supervisor::EndedByItself(uint32_t rank, int wait_status) {
  const int code = CodeOfStatus(wait_status);
  if (end_frame_ != nullptr) return;
  const std::string note =
      absl::StrCat(Name(rank), " ", DescribeStatus(wait_status));
  if (states_[rank].joined) return ReturnedFromMain(rank, code, note);
  policy_.LeftAlone(code, NowNanos());
  NoteMissing(std::max(code, 1), note + " before it called gasnet_init");
}

void Supervisor::ReturnedFromMain(uint32_t rank, int code,
                                  const std::string& note) {
  if (catches_exit_) return policy_.Left(code, NowNanos());
  if (code != 0 && left_note_.empty()) {
    left_note_ = note + " without calling gasnet_exit";
  }
  policy_.Returned(code, NowNanos());
  ++returned_;
  NoteDeparture(rank);
  CheckGathers();
}

// A rank that has ended contributes nothing more to what others wait for.
void Supervisor::CheckGathers() {
  if (returned_ == 0 || !gathers_.IsUnderWay()) return;
  // Told already, perhaps in this very turn.
  if (policy_.phase() >= ExitPolicy::Phase::kEnding) return;
  for (uint32_t rank = 0; rank < plan_.size; ++rank) {
    if (!states_[rank].ended || gathers_.HasPartOf(rank)) continue;
    return Fail(EXIT_FAILURE, Name(rank) +
                                  " ended while others wait for it in "
                                  "gasnet_init, gasnet_attach or "
                                  "gasnet_finalize, which are collective");
  }
}

// From here on `rank` runs no handler: what others have sent it need not
// arrive. They are told while the job goes on. (Before it has begun nobody has
// sent anything.)
void Supervisor::NoteDeparture(uint32_t rank) {
  if (std::exchange(states_[rank].departed, true)) return;
  if (joined_ == plan_.size) departures_.push_back(rank);
}

void Supervisor::SendDepartures(int64_t now) {
  if (end_frame_ != nullptr) return departures_.clear();
  if (departures_.empty() || now < departures_at_) return;
  departures_at_ = now + kDeparturesNanos;
  SendToAll(EncodeLeft(std::exchange(departures_, {})));
}

// Where the job ends anyway it is told only if that changes its code.
void Supervisor::Crashed(uint32_t rank, int wait_status) {
  if (end_frame_ == nullptr) crashed_ = true;
  const bool is_news =
      end_frame_ == nullptr || (policy_.code() == 0 && !killed_);
  if (is_news) {
    output_.Say(absl::StrCat(Name(rank), " ", DescribeStatus(wait_status)));
  }
  policy_.Crashed(CodeOfStatus(wait_status), NowNanos());
}

void Supervisor::OnLacksTerminal(uint32_t rank, int signal_number) {
  output_.Say(absl::StrCat(
      Name(rank), " waits for the terminal (", SignalName(signal_number),
      "), and this job is in the background: bring it to the "
      "foreground"));
}

void Supervisor::OnHostSays(const std::string& line) { output_.Say(line); }

void Supervisor::OnHostFailed(uint32_t host, int code, const std::string& why) {
  crashed_ = true;
  bool lost_ranks = false;
  for (uint32_t rank = 0; rank < plan_.size; ++rank) {
    RankState& state = states_[rank];
    if (HostOf(rank) != host || std::exchange(state.ended, true)) continue;
    state.left = true;
    state.lost_deadline = kNever;
    lost_ranks = true;
    policy_.Gone();
  }
  const bool spoils_success = lost_ranks && policy_.code() == 0;
  if (!why.empty() && (end_frame_ == nullptr || spoils_success)) {
    output_.Say(why);
  }
  if (lost_ranks) {
    policy_.Crashed(code, NowNanos());
  } else {
    policy_.Failed(code, NowNanos());
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
    states_[rank].lost_deadline = kNever;
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
  timeout_at_ = kNever;
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
  CheckStdout(now);
}

// Output that is lost after the job has ended with 0 is reported too, and
// spoils that.
void Supervisor::CheckStdout(int64_t now) {
  const int error = output_.stdout_error();
  if (error == 0 || std::exchange(stdout_failed_, true)) return;
  const bool has_ended = policy_.phase() >= ExitPolicy::Phase::kEnding;
  if (error == EPIPE) {
    if (!has_ended) policy_.Failed(128 + SIGPIPE, now);
    return;
  }
  output_.Say(absl::StrCat("cannot write standard output: ", strerror(error)));
  if (has_ended) return policy_.Crashed(kLauncherFailureCode, now);
  policy_.Failed(kLauncherFailureCode, now);
}

void Supervisor::Fail(int code, const std::string& why) {
  if (end_frame_ == nullptr && !why.empty()) output_.Say(why);
  policy_.Failed(code, NowNanos());
}

void Supervisor::FollowPolicy() {
  if (policy_.phase() >= ExitPolicy::Phase::kEnding && end_frame_ == nullptr) {
    end_frame_ = std::make_shared<const std::string>(
        EncodeEnd({.code = policy_.code() & 0xff, .why = left_note_}));
    for (uint32_t rank = 0; rank < plan_.size; ++rank) SendEnd(rank);
  }
  if (policy_.phase() == ExitPolicy::Phase::kKilling && !killed_) KillAll();
}

void Supervisor::SendEnd(uint32_t rank) {
  if (states_[rank].left) return;
  if (!left_note_.empty()) {
    output_.Say(left_note_ + "; ending the others");
    left_note_.clear();
  }
  hosts_[HostOf(rank)]->SendEnd(rank, end_frame_);
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
