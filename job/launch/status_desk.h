// Collects the status of a job: on request, periodically, and when the job is
// ended.
//
//   kIdle --Ask, or due--> kAsked               ranks note their next poll
//   kAsked --after kPollsNanos--> kCollecting   owners read the ranks' pages
//   kCollecting --all have reported, or too late--> kIdle
//
// Reports a stall: a rank has waited for `report_nanos`. Runs four rounds in
// that time, so that no stall is missed. A stall is reported once. Its causes
// are checked again in two cases: once the stall has lasted twice as long, and
// once its longest wait has ended while other waits go on. The stall is
// reported again if the causes have changed. A stall is over once no rank has
// waited for `report_nanos`.
//
// Used by one thread. Nothing blocks, but for a tenth of a second at the end of
// a job that is held up. In that time ranks of this host tell if they poll, if
// they have not been asked lately. If a waiting rank does not, its end takes up
// to a second longer, since the rank may be in a handler that does not end.
// Ranks of other hosts cannot answer at the end.
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

  // Reports waits of at least report_nanos. kNever: reports none.
  StatusDesk(JobHosts& hosts, HostEvents& events, JobOutput& output,
             int64_t report_nanos);

  // Notes that the ranks start to run now.
  void Start(int64_t now);

  // Calls `answer` once, soon, with the statuses that the ranks have reported
  // by then. If all ranks have joined, also makes them report their statistics.
  void Ask(Answer answer);

  // Prints the reasons why the job is held up, as far as is known. Prints
  // nothing if no rank has waited for long. Later calls do nothing.
  void SayAtEnd();

  // Notes that this process and the ranks were stopped until now. The time of
  // the stop does not count as a stall.
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
  JobView LookAtEnd();
  JobView LookForPolls(JobView job);
  void Say(const std::vector<std::string>& lines);

  JobHosts& hosts_;
  HostEvents& events_;
  JobOutput& output_;
  const int64_t report_nanos_;
  const int64_t interval_;  // Between two rounds. kNever: only on request.
  State state_ = State::kIdle;
  int64_t next_at_ = kNever;
  int64_t asked_at_ = 0;  // the time at which the last round began
  std::vector<Answer> answers_;
  JobView last_complete_;  // The last round in which all ranks reported.
  int64_t no_report_before_ = 0;
  // The longest wait of the last round.
  int64_t longest_ = 0;
  // Once the longest wait is this long, the causes of the stall are checked
  // again.
  int64_t report_from_;
  // The causes of the present stall as last reported.
  std::vector<std::string> reported_;
  bool has_said_at_end_ = false;
};

// Returns the value of GASNET_STALL_REPORT, or kNever if the value is 0.
int64_t StallReportNanos();

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_STATUS_DESK_H_
