#include "job/launch/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/env.h"
#include "job/launch/exit_timeout.h"
#include "job/launch/process_status.h"
#include "job/launch/spawn.h"
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
      catches_exit_(EnvBool("GASNET_CATCH_EXIT", false)),
      output_(loop_, plan_.name),
      states_(plan_.size),
      policy_(plan_.size, {.linger = kLingerNanos,
                           .patience = grace_nanos_,
                           .grace = grace_nanos_ + kFlushNanos}),
      gathers_(plan_.size) {}

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
                           *this);
  if (!hosts.ok()) {
    offspring_->CleanUp();
    return hosts.status();
  }
  hosts_ = *std::move(hosts);
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Handoff>> Supervisor::Start() {
  const absl::Status prepared = Prepare();
  if (!prepared.ok()) return NotTheProgram(prepared);
  loop_.Watch(signals_.fd(), EPOLLIN, [this] { TakeSignals(); });
  if (plan_.timeout_nanos > 0) timeout_at_ = NowNanos() + plan_.timeout_nanos;
  for (const auto& host : hosts_) {
    auto started = host->Start();
    if (!started.ok()) CleanUp();
    if (!started.ok() || started->has_value()) return started;
  }
  return std::nullopt;
}

int Supervisor::Run() {
  while (!policy_.AllGone()) Turn(kNever);
  DrainOutput();
  CleanUp();
  SayIfNobodyJoined();
  FlushOutput();
  CheckStdout(NowNanos());
  const int code = policy_.code() & 0xff;
  SayVerbose(absl::StrCat("the job has ended with exit code ", code));
  FlushOutput();
  return code;
}

void Supervisor::Turn(int64_t deadline) {
  output_.Write();
  // It may all be written by now: where no more is taken in, nothing would ever
  // wake us.
  CheckOutput(NowNanos());
  FollowPolicy();
  loop_.Wait(std::min(deadline, NextDeadline()));
  output_.Write();
  const int64_t now = NowNanos();
  for (const auto& host : hosts_) host->Expire(now);
  CheckLostChannels(now);
  CheckTimeout(now);
  CheckOutput(now);
  policy_.Advance(now);
  FollowPolicy();
  SendDepartures(now);
}

int64_t Supervisor::NextDeadline() const {
  int64_t next = std::min(timeout_at_, policy_.deadline());
  if (!departures_.empty()) next = std::min(next, departures_at_);
  for (const auto& host : hosts_) next = std::min(next, host->deadline());
  for (const RankState& state : states_) {
    next = std::min(next, state.lost_deadline);
  }
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
    case SIGUSR1:
    case SIGUSR2:
      for (const auto& host : hosts_) host->SignalRanks(signal_number);
      return;
    default:
      SayVerbose(absl::StrCat("ending the job on ", SignalName(signal_number)));
      policy_.Interrupted(128 + signal_number, NowNanos());
  }
}

// We are continued by SIGCONT, which comes in like any signal.
void Supervisor::StopWithRanks() {
  const int64_t stopped_at = NowNanos();
  for (const auto& host : hosts_) host->Pause();
  kill(getpid(), SIGSTOP);
  const int64_t stopped_for = NowNanos() - stopped_at;
  policy_.Shift(stopped_for);
  if (timeout_at_ != kNever) timeout_at_ += stopped_for;
}

void Supervisor::OnOutput(uint32_t, Stream stream, std::string_view lines) {
  output_moved_at_ = NowNanos();
  output_.Append(stream, lines);
}

bool Supervisor::AnyOpenOutput() const {
  return std::any_of(hosts_.begin(), hosts_.end(),
                     [](const auto& host) { return host->HasOpenOutput(); });
}

void Supervisor::DrainOutput() {
  int64_t end = NowNanos() + grace_nanos_;
  output_moved_at_ = NowNanos();
  while (AnyOpenOutput()) {
    const int64_t now = NowNanos();
    if (output_.IsPending() && !policy_.interrupted()) {
      output_moved_at_ = now;
      end = now + grace_nanos_;
    }
    const int64_t deadline = std::min(end, output_moved_at_ + kQuietNanos);
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
    const bool hurries = policy_.interrupted();
    if (hurries && NowNanos() >= end) return;
    Turn(hurries ? end : kNever);
  }
}

void Supervisor::SayIfNobodyJoined() {
  if (joined_ > 0 || crashed_ || policy_.interrupted()) return;
  output_.Say(
      absl::StrCat("note: ", plan_.program,
                   " never called gasnet_init; is it a GASNet program, and "
                   "has it the variable ",
                   Handoff::kVariable,
                   " that it was started with ('env -i' and sudo take it "
                   "away)?"));
}

void Supervisor::SayVerbose(const std::string& message) {
  if (plan_.verbose) output_.Say(message);
}

uint32_t Supervisor::HostOf(uint32_t rank) const {
  return plan_.host_of.empty() ? 0 : plan_.host_of[rank];
}

std::string Supervisor::Name(uint32_t rank) {
  const std::string& host = hosts_[HostOf(rank)]->name();
  // Not started, or not yet told.
  if (states_[rank].pid == 0)
    return absl::StrCat("rank ", rank, " (", host, ")");
  return absl::StrCat("rank ", rank, " (", host, ", pid ", states_[rank].pid,
                      ")");
}

}  // namespace gasnet::job
