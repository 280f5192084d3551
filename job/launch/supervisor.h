// Runs a job from the launcher's side: starts the ranks, welcomes them, carries
// what they gather and print, and sees to it that the job ends as a whole, with
// the right code, and leaves nothing behind.
//
// ExitPolicy says when and how the job ends, the hosts hold the processes; the
// supervisor connects the two, the terminal and the signals. One thread.
#ifndef JOB_LAUNCH_SUPERVISOR_H_
#define JOB_LAUNCH_SUPERVISOR_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "job/launch/event_loop.h"
#include "job/launch/exit_policy.h"
#include "job/launch/gather_board.h"
#include "job/launch/host.h"
#include "job/launch/host_ranks.h"
#include "job/launch/job_output.h"
#include "job/launch/job_plan.h"
#include "job/launch/launcher_signals.h"
#include "job/launch/offspring.h"
#include "job/wire/handoff.h"
#include "job/wire/secret.h"

namespace gasnet::job {

// Exit codes that are the supervisor's own.
inline constexpr int kTimeoutCode = 124;
inline constexpr int kLauncherFailureCode = 125;

// The hosts of a job, in the order of their numbers.
using Hosts = std::vector<std::unique_ptr<Host>>;
using MakeHosts = std::function<absl::StatusOr<Hosts>(const HostSurroundings&,
                                                      HostObserver&)>;

// All ranks on this host.
absl::StatusOr<Hosts> MakeThisHost(const HostSurroundings& surroundings,
                                   HostObserver& observer);

class Supervisor : public HostObserver {
 public:
  // The snapshot of the environment (base/env.h) must be plan.environment.
  explicit Supervisor(JobPlan plan, MakeHosts make_hosts = MakeThisHost);

  // Starts the ranks. In a rank that was forked answers what it inherits; that
  // process then destroys the supervisor and goes on. An error has left nothing
  // running.
  absl::StatusOr<std::optional<Handoff>> Start();

  // Until the job is over; answers its exit code, 0 to 255.
  int Run();

 private:
  struct RankState {
    pid_t pid = 0;
    bool joined = false;
    bool ended = false;
    bool left = false;               // The policy knows it has left.
    bool departed = false;           // As NoteDeparture has it.
    int64_t lost_deadline = kNever;  // Its channel closed early.
  };

  // HostObserver.
  void OnStarted(uint32_t rank, pid_t pid) override;
  void OnHello(uint32_t rank, const Hello& hello) override;
  void OnGather(uint32_t rank, const GatherPart& part) override;
  void OnExit(uint32_t rank, int code) override;
  void OnChannelClosed(uint32_t rank, const std::string& why) override;
  void OnOutput(uint32_t rank, Stream stream, std::string_view lines) override;
  void OnLacksTerminal(uint32_t rank, int signal_number) override;
  void OnEnded(uint32_t rank, int wait_status) override;
  void OnHostFailed(uint32_t host, int code, const std::string& why) override;
  void OnHostSays(const std::string& line) override;

  // All that Start needs before the ranks.
  absl::Status Prepare();

  // Joining (supervisor_join.cc).
  bool CheckConfig(uint32_t rank, std::string_view config);
  void WelcomeAll();
  void SendToAll(std::string frame);
  void NoteMissing(int code, std::string note);

  // Ending (supervisor_end.cc).
  void EndedByItself(uint32_t rank, int wait_status);
  void ReturnedFromMain(uint32_t rank, int code, const std::string& note);
  void Crashed(uint32_t rank, int wait_status);
  void CheckGathers();
  void NoteDeparture(uint32_t rank);
  void SendDepartures(int64_t now);
  void Fail(int code, const std::string& why);
  void FollowPolicy();
  void SendEnd(uint32_t rank);
  void KillAll();
  void CheckLostChannels(int64_t now);
  void CheckTimeout(int64_t now);
  void CheckOutput(int64_t now);
  void CheckStdout(int64_t now);

  // The loop (supervisor.cc).
  void Turn(int64_t deadline);
  int64_t NextDeadline() const;
  void TakeSignals();
  void TakeSignal(int signal_number);
  void StopWithRanks();
  void CleanUp();
  void DrainOutput();
  void FlushOutput();
  void SayIfNobodyJoined();
  void SayVerbose(const std::string& message);
  uint32_t HostOf(uint32_t rank) const;
  bool AnyOpenOutput() const;
  std::string Name(uint32_t rank);

  const JobPlan plan_;
  const MakeHosts make_hosts_;
  const int64_t grace_nanos_;
  const bool catches_exit_;
  LauncherSignals signals_;
  EventLoop loop_;
  JobOutput output_;
  std::array<bool, 2> reading_ = {true, true};
  std::optional<Secret> secret_;
  std::unique_ptr<Offspring> offspring_;
  Hosts hosts_;
  std::vector<RankState> states_;
  ExitPolicy policy_;
  GatherBoard gathers_;
  int64_t timeout_at_ = kNever;
  int64_t output_moved_at_ = 0;

  uint32_t joined_ = 0;
  uint32_t first_joined_ = 0;
  std::string config_;        // Of the first that joined.
  std::string missing_note_;  // Why a rank can never join, and
  int missing_code_ = 0;      // what that makes of the job.

  // The first that ended without gasnet_exit and not with 0.
  std::string left_note_;
  uint32_t returned_ = 0;  // How many have ended without gasnet_exit.
  // Ranks that the others are yet to hear of, and when they may.
  std::vector<uint32_t> departures_;
  int64_t departures_at_ = 0;
  bool crashed_ = false;
  bool killed_ = false;
  bool stdout_failed_ = false;                    // and that was reported
  std::shared_ptr<const std::string> end_frame_;  // Once the job ends.
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_SUPERVISOR_H_
