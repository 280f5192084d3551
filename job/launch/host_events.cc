#include "job/launch/host_events.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/env.h"
#include "job/launch/process_status.h"
#include "job/tuning.h"
#include "job/wire/messages.h"

namespace gasnet::job {

HostEvents::HostEvents(const std::vector<std::string>& environment,
                       JobHosts& hosts, JobOutput& output, JobEnd& end)
    : environment_(environment),
      hosts_(hosts),
      output_(output),
      end_(end),
      catches_exit_(EnvBool("GASNET_CATCH_EXIT", false)),
      joining_(hosts.ranks()),
      gathers_(hosts.ranks()),
      departures_(hosts.ranks()),
      statuses_(hosts.ranks()),
      lost_deadlines_(hosts.ranks(), kNever) {}

void HostEvents::OnStarted(uint32_t rank, pid_t pid) {
  hosts_.SetPid(rank, pid);
  output_.SayIfVerbose(hosts_.Name(rank) + " started");
}

void HostEvents::OnHello(uint32_t rank, const Hello& hello) {
  const std::string name = hosts_.Name(rank);
  if (!joining_.HasAny()) waiting_since_ = NowNanos();
  const auto failure = joining_.Add(rank, name, hello.config);
  output_.SayIfVerbose(name + " called gasnet_init");
  if (end_.IsTold()) {
    end_.SendEnd(rank);
  } else if (failure.has_value()) {
    end_.Failed(failure->code, failure->why);
  } else if (joining_.HasAll()) {
    WelcomeAll();
  }
}

void HostEvents::WelcomeAll() {
  Welcome welcome = {.environment = environment_};
  for (uint32_t rank = 0; rank < hosts_.ranks(); ++rank) {
    welcome.host_of.push_back(hosts_.HostOf(rank));
  }
  for (const auto& host : hosts_) welcome.host_cpus.push_back(host->cpus());
  hosts_.SendToAll(EncodeWelcome(welcome));
}

void HostEvents::OnGather(uint32_t rank, const GatherPart& part) {
  if (!gathers_.IsUnderWay()) waiting_since_ = NowNanos();
  auto all = gathers_.Add(rank, part);
  if (!all.ok()) return end_.Failed(1, std::string(all.status().message()));
  if (!all->has_value()) return CheckGathers();
  hosts_.SendToAll(**std::move(all));
}

// Fails the job if a gather waits for a rank that has ended. Such a gather can
// never complete.
void HostEvents::CheckGathers() {
  if (!has_any_returned_ || !gathers_.IsUnderWay()) return;
  // Does nothing if the job already has a reason to end, perhaps from this turn
  // of the event loop.
  if (end_.policy().phase() >= ExitPolicy::Phase::kEnding) return;
  for (uint32_t rank = 0; rank < hosts_.ranks(); ++rank) {
    if (!end_.HasEnded(rank) || gathers_.HasPartOf(rank)) continue;
    return end_.Failed(EXIT_FAILURE,
                       hosts_.Name(rank) +
                           " ended while others wait for it in gasnet_init, "
                           "gasnet_attach or gasnet_finalize, which are "
                           "collective");
  }
}

void HostEvents::OnExit(uint32_t rank, int code) {
  if (code == kLeavesByExit) return NoteDeparture(rank);
  if (code == kReturnEndsJob) return static_cast<void>(return_ends_job_ = true);
  if (end_.SetLeft(rank)) return;
  output_.SayIfVerbose(
      absl::StrCat(hosts_.Name(rank), " called gasnet_exit(", code, ")"));
  end_.policy().Left(code & 0xff, NowNanos());
}

void HostEvents::OnEnded(uint32_t rank, int wait_status) {
  output_.SayIfVerbose(
      absl::StrCat(hosts_.Name(rank), " ", DescribeStatus(wait_status)));
  lost_deadlines_[rank] = kNever;
  const bool had_left = end_.SetEnded(rank);
  if (WIFSIGNALED(wait_status)) {
    end_.Crashed(rank, wait_status);
  } else if (!had_left && !end_.IsTold()) {
    EndedByItself(rank, wait_status);
  }
  end_.policy().Gone();
}

void HostEvents::EndedByItself(uint32_t rank, int wait_status) {
  const int code = CodeOfStatus(wait_status);
  const std::string note =
      absl::StrCat(hosts_.Name(rank), " ", DescribeStatus(wait_status));
  if (joining_.HasJoined(rank)) return ReturnedFromMain(rank, code, note);
  end_.policy().LeftAlone(code, NowNanos());
  Lose(rank, std::max(code, 1), note + " before it called gasnet_init");
}

void HostEvents::ReturnedFromMain(uint32_t rank, int code,
                                  const std::string& note) {
  if (catches_exit_) return end_.policy().Left(code, NowNanos());
  end_.Returned(code, return_ends_job_, note);
  has_any_returned_ = true;
  NoteDeparture(rank);
  CheckGathers();
}

void HostEvents::NoteDeparture(uint32_t rank) {
  departures_.Add(rank, joining_.HasAll());
}

void HostEvents::SendDepartures(int64_t now) {
  const std::vector<uint32_t> ranks = departures_.TakeDue(now);
  if (!ranks.empty() && !end_.IsTold()) hosts_.SendToAll(EncodeLeft(ranks));
}

void HostEvents::OnChannelClosed(uint32_t rank, const std::string& why) {
  if (end_.HasLeft(rank)) return;
  if (why.empty()) {
    lost_deadlines_[rank] = NowNanos() + kLostNanos;
    return;
  }
  const std::string note = absl::StrCat(
      "the control channel of ", hosts_.Name(rank), " was dropped: ", why);
  if (!joining_.HasAny()) output_.Say(note);
  Lose(rank, 1, note);
}

void HostEvents::CheckLostChannels(int64_t now) {
  for (uint32_t rank = 0; rank < hosts_.ranks(); ++rank) {
    if (now < lost_deadlines_[rank]) continue;
    lost_deadlines_[rank] = kNever;
    Lose(rank, 1,
         hosts_.Name(rank) + " closed its control channel but goes on");
  }
}

void HostEvents::Lose(uint32_t rank, int code, const std::string& why) {
  const auto failure = joining_.Lose(rank, {.code = code, .why = why});
  if (failure.has_value()) end_.Failed(failure->code, failure->why);
}

void HostEvents::OnHostFailed(uint32_t host, int code, const std::string& why) {
  for (uint32_t rank = 0; rank < hosts_.ranks(); ++rank) {
    if (hosts_.HostOf(rank) == host) lost_deadlines_[rank] = kNever;
  }
  end_.HostFailed(host, code, why);
}

void HostEvents::OnStatus(uint32_t rank, const RankStatus& status) {
  statuses_.Take(rank, status, NowNanos());
}

// Ignores invalid statistics: the rank counts as one that has sent none.
void HostEvents::OnStatistics(uint32_t rank, const RankStatistics& statistics) {
  if (statistics_ == nullptr || statistics_->Take(rank, statistics)) return;
  output_.SayIfVerbose(hosts_.Name(rank) +
                       " sent statistics that name ranks outside of the job");
}

RankView::Phase HostEvents::PhaseOf(uint32_t rank) const {
  if (end_.HasEnded(rank)) return RankView::Phase::kEnded;
  if (end_.HasLeft(rank)) return RankView::Phase::kLeft;
  return joining_.HasJoined(rank) ? RankView::Phase::kJoined
                                  : RankView::Phase::kNotJoined;
}

bool HostEvents::WaitsForOthers(uint32_t rank) const {
  if (!joining_.HasJoined(rank)) return false;
  return !joining_.HasAll() ||
         (gathers_.IsUnderWay() && gathers_.HasPartOf(rank));
}

JobView HostEvents::View(int64_t now) const {
  JobView job(hosts_.ranks());
  for (uint32_t rank = 0; rank < job.size(); ++rank) {
    job[rank] = {.name = hosts_.Name(rank),
                 .phase = PhaseOf(rank),
                 .has_reported = statuses_.HasReported(rank),
                 .status = statuses_.Of(rank, now)};
    if (WaitsForOthers(rank)) {
      AddWait(job[rank].status,
              {.waiting = {.what = WaitFor::kAllRanks},
               .nanos = std::max<int64_t>(0, now - waiting_since_)});
    }
  }
  return job;
}

void HostEvents::OnOutput(uint32_t, Stream stream, std::string_view lines) {
  output_.Append(stream, lines);
}

void HostEvents::OnLacksTerminal(uint32_t rank, int signal_number) {
  output_.Say(absl::StrCat(
      hosts_.Name(rank), " waits for the terminal (", SignalName(signal_number),
      "), and this job is in the background: bring it to the foreground"));
}

void HostEvents::OnHostSays(const std::string& line) { output_.Say(line); }

int64_t HostEvents::deadline() const {
  return std::min(
      departures_.deadline(),
      *std::min_element(lost_deadlines_.begin(), lost_deadlines_.end()));
}

}  // namespace gasnet::job
