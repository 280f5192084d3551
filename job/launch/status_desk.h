// Finds out how a job fares: on request, now and then by itself, and when the
// job is ended.
//
//   kIdle --Ask, or it is time--> kAsked     the ranks note their next poll
//   kAsked --they had time to---> kCollecting  their owners read their pages
//   kCollecting --all have reported, or the time is over--> kIdle
//
// By itself it looks four times in the time after which a wait is reported. A
// stall is reported once; the next one after no rank has waited for so long any
// more. One thread; nothing blocks.
#ifndef JOB_LAUNCH_STATUS_DESK_H_
#define JOB_LAUNCH_STATUS_DESK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "job/launch/host_events.h"
#include "job/launch/job_hosts.h"
#include "job/launch/job_output.h"
#include "job/status/job_status.h"

namespace gasnet::job {

class StatusDesk {
 public:
  using Answer = std::function<void(const JobView&)>;

  // report_nanos: waits of that length are reported; kNever: none.
  StatusDesk(JobHosts& hosts, HostEvents& events, JobOutput& output,
             int64_t report_nanos);

  // The ranks run from here on.
  void Start(int64_t now);

  // Calls back once, soon, with what the ranks have reported by then.
  void Ask(Answer answer);

  // Says what holds the job up, as far as is known now; nothing if no rank has
  // waited for long. Once.
  void SayAtEnd();

  // This process and the ranks were stopped until now: waits of that time are
  // no stalls.
  void Resumed(int64_t now);

  void Expire(int64_t now);
  int64_t deadline() const { return next_at_; }

 private:
  enum class State : uint8_t { kIdle, kAsked, kCollecting };

  bool HasAll() const;
  void BeginRound(int64_t now);
  void Collect(int64_t now);
  void EndRound(int64_t now);
  void ReportStall(const JobView& job, int64_t now);
  void Say(const std::vector<std::string>& lines);

  JobHosts& hosts_;
  HostEvents& events_;
  JobOutput& output_;
  const int64_t report_nanos_;
  const int64_t interval_;  // between two rounds; kNever: only on request
  State state_ = State::kIdle;
  int64_t next_at_ = kNever;
  std::vector<Answer> answers_;
  JobView last_complete_;  // of the last round in which all answered
  int64_t no_report_before_ = 0;
  bool has_reported_ = false;  // the present stall
  bool has_said_at_end_ = false;
};

// Returns the time of GASNET_STALL_REPORT.
int64_t StallReportNanos();

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_STATUS_DESK_H_
