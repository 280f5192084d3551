#include "job/launch/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/clock.h"
#include "job/launch/exit_timeout.h"
#include "job/launch/process_status.h"
#include "job/launch/spawn.h"
#include "job/status/report.h"
#include "job/tuning.h"

namespace gasnet::job {

absl::StatusOr<Hosts> MakeThisHost(const HostSurroundings& surroundings,
                                   HostObserver& observer) {
  auto ranks = HostRanks::Create(surroundings, 0, observer);
  if (!ranks.ok()) return ranks.status();
  Hosts hosts;
  hosts.push_back(*std::move(ranks));
  return hosts;
}

Supervisor::Supervisor(JobPlan plan, MakeHosts make_hosts)
    : plan_(std::move(plan)),
      make_hosts_(std::move(make_hosts)),
      grace_nanos_(ExitTimeoutNanos(plan_.size)),
      output_(loop_, plan_.name, plan_.verbose),
      hosts_(plan_),
      end_(hosts_, output_, grace_nanos_),
      events_(plan_.environment, hosts_, output_, end_),
      desk_(hosts_, events_, output_, StallReportNanos()),
      status_socket_(loop_, [this](uint64_t client, bool as_json) {
        AnswerStatus(client, as_json);
      }) {
  if (plan_.describe_statistics == nullptr) return;
  statistics_.emplace(plan_.size, plan_.host_of);
  events_.CollectStatistics(*statistics_);
}

absl::Status Supervisor::Prepare() {
  if (!signals_.valid() || !loop_.valid()) {
    return absl::ErrnoToStatus(errno, "cannot wait for signals and output");
  }
  auto secret = Secret::Generate();
  if (!secret.ok()) return secret.status();
  secret_ = *secret;
  auto offspring =
      Offspring::Create(plan_.processes > 0 ? plan_.processes : plan_.size);
  if (!offspring.ok()) return offspring.status();
  offspring_ = *std::move(offspring);
  auto hosts = make_hosts_({.plan = plan_,
                            .secret = *secret_,
                            .mask = signals_.mask(),
                            .loop = loop_,
                            .offspring = *offspring_},
                           events_);
  if (!hosts.ok()) {
    offspring_->CleanUp();
    return hosts.status();
  }
  hosts_.Set(*std::move(hosts));
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Handoff>> Supervisor::Start() {
  const absl::Status prepared = Prepare();
  if (!prepared.ok()) return NotTheProgram(prepared);
  started_at_ = NowNanos();
  loop_.Watch(signals_.fd(), EPOLLIN, [this] { TakeSignals(); });
  if (plan_.timeout_nanos > 0) {
    timeout_at_ = started_at_ + plan_.timeout_nanos;
    last_look_at_ = timeout_at_ - kLastLookNanos;
  }
  for (const auto& host : hosts_) {
    auto started = host->Start();
    if (!started.ok()) CleanUp();
    if (!started.ok() || started->has_value()) return started;
  }
  if (!status_socket_.Listen()) {
    output_.SayIfVerbose("gasnetrun --status cannot ask this job");
  }
  desk_.Start(NowNanos());
  return std::nullopt;
}

int Supervisor::Run() {
  while (!end_.policy().AllGone()) Turn(kNever);
  const int64_t wall_nanos = NowNanos() - started_at_;
  DrainOutput();
  CleanUp();
  SayIfNobodyJoined();
  output_.Append(kStderr,
                 DescribeStatistics(JobPlan::Describe::kAtEnd, wall_nanos));
  FlushOutput();
  CheckStdout();
  const int code = end_.policy().code() & 0xff;
  output_.SayIfVerbose(absl::StrCat("the job has ended with exit code ", code));
  FlushOutput();
  return code;
}

void Supervisor::Turn(int64_t deadline) {
  SayWhatHeldItUp();
  output_.Write();
  // Checks the output before waiting. If all output is written by now, reading
  // must resume. Without this, no event would ever wake this process.
  CheckOutput(NowNanos());
  end_.Follow();
  loop_.Wait(std::min(deadline, NextDeadline()));
  output_.Write();
  const int64_t now = NowNanos();
  for (const auto& host : hosts_) host->Expire(now);
  events_.CheckLostChannels(now);
  CheckTimeout(now);
  CheckOutput(now);
  desk_.Expire(now);
  end_.policy().Advance(now);
  SayWhatHeldItUp();
  end_.Follow();
  events_.SendDepartures(now);
}

int64_t Supervisor::NextDeadline() const {
  int64_t next = std::min({timeout_at_, last_look_at_, end_.policy().deadline(),
                           events_.deadline(), desk_.deadline()});
  for (const auto& host : hosts_) next = std::min(next, host->deadline());
  return next;
}

void Supervisor::TakeSignals() {
  while (const std::optional<int> signal_number = signals_.Next()) {
    TakeSignal(*signal_number);
  }
}

void Supervisor::TakeSignal(int signal_number) {
  switch (signal_number) {
    case SIGCHLD:
      for (const auto& host : hosts_) host->PollAll();
      return offspring_->ReapOrphans();
    case SIGTSTP:
      return StopWithRanks();
    case SIGCONT:
      for (const auto& host : hosts_) host->Continue();
      return;
    case SIGUSR2:
      return SayStatus();
    case SIGUSR1:
      for (const auto& host : hosts_) host->SignalRanks(signal_number);
      return;
    default:
      output_.SayIfVerbose(
          absl::StrCat("ending the job on ", SignalName(signal_number)));
      end_.policy().Interrupted(128 + signal_number, NowNanos());
  }
}

// Stops the ranks and this process. SIGCONT continues this process, and then
// arrives as an event like any other signal.
void Supervisor::StopWithRanks() {
  const int64_t stopped_at = NowNanos();
  for (const auto& host : hosts_) host->Pause();
  signals_.StopProcess();
  const int64_t stopped_for = NowNanos() - stopped_at;
  end_.policy().Shift(stopped_for);
  if (timeout_at_ != kNever) timeout_at_ += stopped_for;
  if (last_look_at_ != kNever) last_look_at_ += stopped_for;
  desk_.Resumed(stopped_at + stopped_for);
}

void Supervisor::AnswerStatus(uint64_t client, bool as_json) {
  desk_.Ask([this, client, as_json](const JobView& job) {
    const std::string statistics = StatisticsSoFar(as_json);
    status_socket_.Answer(client, as_json ? StatusJson(job, statistics)
                                          : StatusText(job) + statistics);
  });
}

void Supervisor::SayStatus() {
  desk_.Ask([this](const JobView& job) {
    for (const std::string_view line :
         absl::StrSplit(StatusText(job), '\n', absl::SkipEmpty())) {
      output_.Say(line);
    }
    output_.Append(kStderr, StatisticsSoFar(/*as_json=*/false));
  });
}

// Reports why the job was held up before it was interrupted or crashed. A job
// that ends by itself needs no such report.
void Supervisor::SayWhatHeldItUp() {
  const bool ends = end_.policy().phase() >= ExitPolicy::Phase::kEnding;
  if (!ends || end_.IsTold()) return;
  if (end_.policy().interrupted() || end_.has_crashed()) desk_.SayAtEnd();
}

void Supervisor::CheckTimeout(int64_t now) {
  if (now >= last_look_at_) {
    last_look_at_ = kNever;
    desk_.Ask([](const JobView&) {});
  }
  if (now < timeout_at_) return;
  timeout_at_ = kNever;
  output_.Say(
      absl::StrCat("the time limit of ",
                   static_cast<double>(plan_.timeout_nanos) / kNanosPerSecond,
                   " s is over; ending the job"));
  end_.policy().Interrupted(kTimeoutCode, now);
}

void Supervisor::CheckOutput(int64_t now) {
  for (const Stream stream : kStreams) {
    const bool has_room = !output_.IsBackedUp(stream);
    if (!has_room) end_.policy().AwaitReader(now);
    if (std::exchange(reading_[stream], has_room) != has_room) {
      for (const auto& host : hosts_) host->SetReading(stream, has_room);
    }
  }
  CheckStdout();
}

void Supervisor::CheckStdout() {
  const int error = output_.stdout_error();
  if (error != 0) end_.StdoutFailed(error);
}

bool Supervisor::AnyOpenOutput() const {
  return std::any_of(hosts_.begin(), hosts_.end(),
                     [](const auto& host) { return host->HasOpenOutput(); });
}

void Supervisor::DrainOutput() {
  int64_t end = NowNanos() + grace_nanos_;
  int64_t moved_at = NowNanos();
  while (AnyOpenOutput()) {
    const int64_t now = NowNanos();
    moved_at = std::max(moved_at, output_.appended_at());
    if (output_.IsPending() && !end_.policy().interrupted()) {
      moved_at = now;
      end = now + grace_nanos_;
    }
    const int64_t deadline = std::min(end, moved_at + kQuietNanos);
    if (now >= deadline) return;
    Turn(deadline);
  }
}

void Supervisor::CleanUp() {
  const auto is_clean = [](const auto& host) { return host->IsClean(); };
  for (const auto& host : hosts_) host->CleanUp();
  while (!std::all_of(hosts_.begin(), hosts_.end(), is_clean)) {
    Turn(kNever);
  }
  offspring_->CleanUp();
}

void Supervisor::FlushOutput() {
  const int64_t end = NowNanos() + grace_nanos_;
  output_.Write();
  while (output_.IsPending()) {
    const bool hurries = end_.policy().interrupted();
    if (hurries && NowNanos() >= end) return;
    Turn(hurries ? end : kNever);
  }
}

void Supervisor::SayIfNobodyJoined() {
  const bool is_explained = events_.HasAnyJoined() || end_.has_crashed() ||
                            end_.policy().interrupted();
  if (is_explained) return;
  output_.Say(absl::StrCat(
      "note: ", plan_.program,
      " never called gasnet_init; is it a GASNet program, and "
      "does it still have the variable ",
      Handoff::kVariable, " from its start ('env -i' and sudo remove it)?"));
}

// Returns an empty text if no statistics are collected.
std::string Supervisor::DescribeStatistics(JobPlan::Describe how,
                                           int64_t wall_nanos) const {
  if (!statistics_.has_value()) return {};
  std::vector<std::string> hosts;
  for (const auto& host : hosts_) hosts.push_back(host->name());
  return plan_.describe_statistics(statistics_->Summarize(wall_nanos, hosts),
                                   how);
}

std::string Supervisor::StatisticsSoFar(bool as_json) const {
  return DescribeStatistics(
      as_json ? JobPlan::Describe::kSoFarAsJson : JobPlan::Describe::kSoFar,
      NowNanos() - started_at_);
}

}  // namespace gasnet::job
