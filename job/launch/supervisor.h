// The loop that drives a job. It handles signals, time, and queued output.
// HostEvents handles the reports of hosts. JobEnd handles the reasons to end.
// StatusDesk handles the requests for the job's status. Used by one thread.
#ifndef JOB_LAUNCH_SUPERVISOR_H_
#define JOB_LAUNCH_SUPERVISOR_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "job/launch/event_loop.h"
#include "job/launch/host.h"
#include "job/launch/host_events.h"
#include "job/launch/host_ranks.h"
#include "job/launch/job_end.h"
#include "job/launch/job_hosts.h"
#include "job/launch/job_output.h"
#include "job/launch/job_plan.h"
#include "job/launch/launcher_signals.h"
#include "job/launch/offspring.h"
#include "job/launch/status_desk.h"
#include "job/launch/status_socket.h"
#include "job/statistics/job_statistics.h"
#include "job/wire/handoff.h"
#include "job/wire/secret.h"

namespace gasnet::job {

using MakeHosts = std::function<absl::StatusOr<Hosts>(const HostSurroundings&,
                                                      HostObserver&)>;

// Creates this host, with all ranks of the job.
absl::StatusOr<Hosts> MakeThisHost(const HostSurroundings& surroundings,
                                   HostObserver& observer);

class Supervisor {
 public:
  // Requires that plan.environment is the snapshot of the environment
  // (base/env.h).
  explicit Supervisor(JobPlan plan, MakeHosts make_hosts = MakeThisHost);

  // Starts the ranks. If a rank is a fork, the call also returns in the child,
  // with the child's Handoff. The child destroys the supervisor and goes on.
  // After an error no process of the job runs.
  absl::StatusOr<std::optional<Handoff>> Start();

  // Runs until the job is over. Returns the job's exit code, 0 to 255.
  int Run();

 private:
  // Prepares everything that Start needs before it starts ranks.
  absl::Status Prepare();

  void Turn(int64_t deadline);
  int64_t NextDeadline() const;
  void TakeSignals();
  void TakeSignal(int signal_number);
  void StopWithRanks();
  void AnswerStatus(uint64_t client, bool as_json);
  void SayStatus();
  void SayWhatHeldItUp();
  void CheckTimeout(int64_t now);
  void CheckOutput(int64_t now);
  void CheckStdout();
  void DrainOutput();
  void CleanUp();
  void FlushOutput();
  void SayIfNobodyJoined();
  std::string DescribeStatistics(JobPlan::Describe how,
                                 int64_t wall_nanos) const;
  std::string StatisticsSoFar(bool as_json) const;
  bool AnyOpenOutput() const;

  const JobPlan plan_;
  const MakeHosts make_hosts_;
  const int64_t grace_nanos_;
  LauncherSignals signals_;
  EventLoop loop_;
  JobOutput output_;
  std::array<bool, 2> reading_ = {true, true};  // Indexed by stream.
  std::optional<Secret> secret_;
  std::unique_ptr<Offspring> offspring_;
  JobHosts hosts_;
  JobEnd end_;
  // Set if the plan wants statistics.
  std::optional<JobStatistics> statistics_;
  HostEvents events_;
  StatusDesk desk_;
  StatusSocket status_socket_;
  int64_t started_at_ = 0;
  int64_t timeout_at_ = kNever;
  // The time of the last status round before the time-out of the job.
  int64_t last_look_at_ = kNever;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_SUPERVISOR_H_
