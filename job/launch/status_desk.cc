#include "job/launch/status_desk.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "base/env.h"
#include "job/status/diagnosis.h"
#include "job/tuning.h"
#include "job/wire/messages.h"

namespace gasnet::job {
namespace {

constexpr double kDefaultStallSeconds = 60;
constexpr double kMaxStallSeconds = 1e9;  // thirty years

int64_t IntervalOf(int64_t report_nanos) {
  return report_nanos == kNever ? kNever : report_nanos / kRoundsPerStall;
}

// Returns true if a waiting rank has not polled since it was asked, and will
// soon count as unserved if it still does not.
bool MayBeUnserved(const JobView& job) {
  return std::any_of(job.begin(), job.end(), [](const RankView& rank) {
    return rank.Waits() && !rank.IsStopped() && !rank.WaitsUnserved() &&
           rank.status.unpolled_nanos > 0;
  });
}

}  // namespace

int64_t StallReportNanos() {
  const double seconds = EnvDouble("GASNET_STALL_REPORT", kDefaultStallSeconds,
                                   0, kMaxStallSeconds);
  return seconds == 0 ? kNever
                      : std::max<int64_t>(
                            kRoundsPerStall,
                            static_cast<int64_t>(seconds * kNanosPerSecond));
}

StatusDesk::StatusDesk(JobHosts& hosts, HostEvents& events, JobOutput& output,
                       int64_t report_nanos)
    : hosts_(hosts),
      events_(events),
      output_(output),
      report_nanos_(report_nanos),
      interval_(IntervalOf(report_nanos)),
      report_from_(report_nanos) {}

void StatusDesk::Start(int64_t now) {
  if (interval_ != kNever) next_at_ = now + interval_;
}

void StatusDesk::Ask(Answer answer) {
  // Requests the ranks' statistics for the answer. A rank in gasnet_init
  // accepts no frame except WELCOME.
  if (events_.HaveAllJoined()) hosts_.SendToAll(EncodeAskStatistics());
  answers_.push_back(std::move(answer));
  if (state_ == State::kIdle) BeginRound(NowNanos());
}

bool StatusDesk::HasAll() const {
  for (uint32_t rank = 0; rank < hosts_.ranks(); ++rank) {
    if (events_.MayReport(rank) && !events_.statuses().HasReported(rank)) {
      return false;
    }
  }
  return true;
}

void StatusDesk::BeginRound(int64_t now) {
  // A rank in gasnet_init accepts no frame except WELCOME.
  if (events_.HaveAllJoined()) hosts_.SendToAll(EncodeAskPolls());
  state_ = State::kAsked;
  asked_at_ = now;
  next_at_ = now + kPollsNanos;
}

void StatusDesk::Collect(int64_t now) {
  state_ = State::kCollecting;
  next_at_ = now + kStatusNanos;
  events_.statuses().BeginRound();
  for (const auto& host : hosts_) host->AskStatus();
}

void StatusDesk::EndRound(int64_t now) {
  state_ = State::kIdle;
  next_at_ = interval_ == kNever ? kNever : now + interval_;
  const JobView job = events_.View(now);
  for (const Answer& answer : std::exchange(answers_, {})) answer(job);
  ReportStall(job, now);
  if (HasAll()) last_complete_ = job;
}

void StatusDesk::Expire(int64_t now) {
  if (state_ == State::kCollecting && HasAll()) return EndRound(now);
  if (now < next_at_) return;
  switch (state_) {
    case State::kIdle:
      return BeginRound(now);
    case State::kAsked:
      Collect(now);
      if (HasAll()) EndRound(now);
      return;
    case State::kCollecting:
      return EndRound(now);
  }
}

void StatusDesk::Resumed(int64_t now) {
  if (state_ != State::kIdle) BeginRound(now);
  if (report_nanos_ != kNever) no_report_before_ = now + report_nanos_;
}

void StatusDesk::ReportStall(const JobView& job, int64_t now) {
  if (report_nanos_ == kNever || now < no_report_before_) return;
  const int64_t longest = LongestWait(job);
  const bool has_ended = longest < std::exchange(longest_, longest);
  if (has_ended) report_from_ = report_nanos_;
  if (longest < report_nanos_) {
    reported_.clear();
  } else if (longest >= report_from_) {
    report_from_ = 2 * longest;
    std::vector<std::string> causes = CausesOf(job, interval_);
    if (causes == reported_) return;
    reported_ = std::move(causes);
    Say(Diagnose(job, interval_));
  }
}

void StatusDesk::SayAtEnd() {
  if (std::exchange(has_said_at_end_, true)) return;
  JobView job = LookAtEnd();
  // A rank that has not been asked lately counts as polling, even if it
  // computes.
  const bool knows_polls = NowNanos() - asked_at_ < 2 * kLastLookNanos;
  const bool may_ask = events_.HaveAllJoined() && HasAll();
  if (!Diagnose(job, kLongWaitNanos).empty() && !knows_polls && may_ask) {
    job = LookForPolls(std::move(job));
  }
  Say(Diagnose(job, kLongWaitNanos));
}

// Asks the ranks to poll. Returns the job as it is then, or `job` if the ranks
// are ending meanwhile.
JobView StatusDesk::LookForPolls(JobView job) {
  hosts_.SendToAll(EncodeAskPolls());
  const int64_t end = NowNanos() + kPollsNanos + kLongestWithoutPoll;
  do {
    const timespec moment = ToTimespec(kPollsNanos);
    nanosleep(&moment, nullptr);
    JobView later = LookAtEnd();
    if (Diagnose(later, kLongWaitNanos).empty()) return job;
    job = std::move(later);
  } while (MayBeUnserved(job) && NowNanos() < end);
  return job;
}

// Ranks of this host report before AskStatus returns. If ranks of other hosts
// have not reported, the statuses of the last complete round are used.
JobView StatusDesk::LookAtEnd() {
  events_.statuses().BeginRound();
  for (const auto& host : hosts_) host->AskStatus();
  return HasAll() ? events_.View(NowNanos()) : last_complete_;
}

void StatusDesk::Say(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) output_.Say(line);
}

}  // namespace gasnet::job
