#include "job/launch/job_end.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "job/launch/process_status.h"
#include "job/tuning.h"
#include "job/wire/messages.h"

namespace gasnet::job {

JobEnd::JobEnd(const JobHosts& hosts, JobOutput& output, int64_t grace_nanos)
    : hosts_(hosts),
      output_(output),
      policy_(hosts.ranks(), {.linger = kLingerNanos,
                              .patience = grace_nanos,
                              .grace = grace_nanos + kFlushNanos}),
      ranks_(hosts.ranks()) {}

bool JobEnd::SetLeft(uint32_t rank) {
  return std::exchange(ranks_[rank].left, true);
}

bool JobEnd::SetEnded(uint32_t rank) {
  ranks_[rank].ended = true;
  return SetLeft(rank);
}

void JobEnd::Failed(int code, const std::string& why) {
  if (!IsTold()) output_.Say(why);
  policy_.Failed(code, NowNanos());
}

// Reports a crash during the job's end only if it changes the job's code.
void JobEnd::Crashed(uint32_t rank, int wait_status) {
  if (!IsTold()) has_crashed_ = true;
  if (!IsTold() || (policy_.code() == 0 && !has_killed_)) {
    output_.Say(
        absl::StrCat(hosts_.Name(rank), " ", DescribeStatus(wait_status)));
  }
  policy_.Crashed(CodeOfStatus(wait_status), NowNanos());
}

void JobEnd::Returned(int code, bool ends_job, const std::string& note) {
  if ((code != 0 || ends_job) && returned_note_.empty()) {
    returned_note_ = note + " without calling gasnet_exit";
  }
  policy_.Returned(code, ends_job, NowNanos());
}

void JobEnd::HostFailed(uint32_t host, int code, const std::string& why) {
  has_crashed_ = true;
  bool lost_ranks = false;
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (hosts_.HostOf(rank) != host || HasEnded(rank)) continue;
    SetEnded(rank);
    lost_ranks = true;
    policy_.Gone();
  }
  const bool spoils_success = lost_ranks && policy_.code() == 0;
  if (!why.empty() && (!IsTold() || spoils_success)) output_.Say(why);
  if (lost_ranks) {
    policy_.Crashed(code, NowNanos());
  } else {
    policy_.Failed(code, NowNanos());
  }
}

// Ends the job because its output can no longer be written. If the reader has
// gone (EPIPE), nothing is reported. Any other error is reported. If the job
// has already ended with code 0, such an error makes the job's code a failure.
void JobEnd::StdoutFailed(int error) {
  if (std::exchange(has_stdout_failed_, true)) return;
  const bool has_ended = policy_.phase() >= ExitPolicy::Phase::kEnding;
  if (error == EPIPE) {
    if (!has_ended) policy_.Failed(128 + SIGPIPE, NowNanos());
    return;
  }
  output_.Say(absl::StrCat("cannot write standard output: ", strerror(error)));
  if (has_ended) return policy_.Crashed(kLauncherFailureCode, NowNanos());
  policy_.Failed(kLauncherFailureCode, NowNanos());
}

void JobEnd::Follow() {
  if (policy_.phase() >= ExitPolicy::Phase::kEnding && !IsTold()) {
    frame_ = std::make_shared<const std::string>(
        EncodeEnd({.code = policy_.code() & 0xff, .why = returned_note_}));
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank) SendEnd(rank);
  }
  if (policy_.phase() == ExitPolicy::Phase::kKilling && !has_killed_) KillAll();
}

void JobEnd::SendEnd(uint32_t rank) {
  if (HasLeft(rank)) return;
  if (!returned_note_.empty()) {
    output_.Say(returned_note_ + "; ending the others");
    returned_note_.clear();
  }
  hosts_.Of(rank).SendEnd(rank, frame_);
}

void JobEnd::KillAll() {
  has_killed_ = true;
  const std::string names = NamesOfRunning();
  for (const auto& host : hosts_) host->SignalGroups(SIGKILL);
  if (!names.empty()) output_.Say(names + " did not end in time: killed");
}

std::string JobEnd::NamesOfRunning() const {
  std::string names;
  size_t count = 0;
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (HasEnded(rank) || ++count > kNamesInOneMessage) continue;
    absl::StrAppend(&names, count == 1 ? "" : ", ", hosts_.Name(rank));
  }
  if (count > kNamesInOneMessage) {
    absl::StrAppend(&names, " and ", count - kNamesInOneMessage, " more");
  }
  return names;
}

}  // namespace gasnet::job
