// A host with an agent, as the supervisor sees it. This class turns requests
// into frames for the agent. It checks the agent's frames, and turns them into
// reports to the observer. job/managed/member_host.h explains why the code that
// ends a host without an agent is separate.
//
// The ssh to the agent runs on the launcher's host, or on another remote host.
// In the latter case the agent's host is a branch of that remote host
// (remote_host_tree.cc). If a host cannot reach its branch, the launcher
// connects to the branch instead. A host ends after all its branches. If a host
// is lost, its branches are lost too, and only the host's own loss is reported.
//
//   - kIdle: nothing has been started.
//   - kWaiting: the host waits for its turn to connect (start_gate.h), or
//     for the host through which it is reached.
//   - kConnecting: ssh runs, and the agent has not sent AGENT_HELLO.
//   - kRunning: START has been sent.
//   - kLost: the stream has ended too early. ssh has a moment to report the
//     reason.
//   - kFinishing: FINISH has been sent.
//   - kLeaving: nothing is left on the host; ssh has not ended.
//   - kClean: ssh has ended.
//
// A failure is reported to the observer once, and nothing is reported after it.
// Used by one thread.
#ifndef TOOLS_GASNETRUN_REMOTE_REMOTE_HOST_H_
#define TOOLS_GASNETRUN_REMOTE_REMOTE_HOST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "job/launch/frame_stream.h"
#include "job/launch/host.h"
#include "job/launch/host_ranks.h"
#include "job/launch/input_source.h"
#include "job/launch/rank_reports.h"
#include "tools/gasnetrun/remote/agent_messages.h"
#include "tools/gasnetrun/remote/relayed_ssh.h"
#include "tools/gasnetrun/remote/ssh.h"
#include "tools/gasnetrun/remote/ssh_command.h"
#include "tools/gasnetrun/remote/ssh_process.h"
#include "tools/gasnetrun/remote/start_gate.h"
#include "tools/gasnetrun/remote/window.h"

namespace gasnet::gasnetrun {

// The part of the plan that is common to all hosts of a job.
struct RemotePlan {
  SshSettings ssh;
  // Without the fields that differ by host.
  std::shared_ptr<const StartOrder> order;
  std::shared_ptr<StartGate> gate;  // for the ssh processes on this host
  // True if the user was told that some host cannot reach another.
  std::shared_ptr<bool> has_told_of_detour = std::make_shared<bool>(false);
};

class RemoteHost : public job::Host, public FrameStream::Listener {
 public:
  // `name` is the host's name for ssh. `through` is the host through which this
  // host is reached, and must outlive this host. Null: the launcher connects
  // directly.
  RemoteHost(const job::HostSurroundings& surroundings,
             std::shared_ptr<const RemotePlan> plan, uint32_t number,
             std::string name, RemoteHost* through,
             job::HostObserver& observer);

  absl::StatusOr<std::optional<job::Handoff>> Start() override;

  const std::string& name() const override { return name_; }
  uint32_t cpus() const override { return cpus_; }

  void SendToAll(Frame frame) override;
  void SendEnd(uint32_t rank, Frame end) override;
  void SignalGroups(int signal_number) override;
  void SignalRanks(int signal_number) override;
  void Pause() override;
  void Continue() override;
  void AskStatus() override { Send(job::FrameType::kAskStatus, {}); }

  void SetReading(job::Stream stream, bool on) override;
  bool HasOpenOutput() const override;

  void PollAll() override;
  void Expire(int64_t now) override;
  int64_t deadline() const override;

  void CleanUp() override;
  bool IsClean() const override { return state_ == State::kClean; }

 private:
  enum class State {
    kIdle,
    kWaiting,
    kConnecting,
    kRunning,
    kLost,
    kFinishing,
    kLeaving,
    kClean
  };
  // FrameStream::Listener (remote_host_events.cc).
  void OnFrame(const job::Frame& frame) override;
  void OnStreamEnd(FrameStream::End end) override;
  void TakeHello(const job::Frame& frame);
  void TakeNote(job::FrameType type, const Note& note);
  bool TakeReport(job::FrameType type, const Note& note);
  void TakeSshLine(std::string_view line);

  // Handle the tree of hosts (remote_host_tree.cc).
  void ConnectBranches();
  bool TakeBranchNote(job::FrameType type, const Note& note);
  uint32_t CountReached() const;
  bool HasBranches() const;
  void LoseBranches();
  void LoseWay();
  void OnBranchClean();
  bool IsOverdue(int64_t now) const;
  bool IsSent() const;
  bool HasDetour() const;
  void TakeDetour(int wait_status);
  std::vector<std::string> Command() const;

  void Connect();
  void LeaveGate();
  void Send(job::FrameType type, const Note& note);
  void TakeInput(std::string_view bytes);
  void OnSshEnded(int wait_status);
  std::string HowSshEnded(int wait_status) const;
  std::string WhyLost(int wait_status) const;
  void Fail(int code, const std::string& why);
  // Ends all work, but still waits for the end of ssh.
  void Leave(int64_t patience_nanos);
  void KillSsh();
  void GiveUpSsh();
  void BecomeClean();
  bool AllEnded() const;

  const job::HostSurroundings surroundings_;
  const std::shared_ptr<const RemotePlan> plan_;
  const uint32_t number_;
  const std::string name_;
  job::HostObserver& observer_;
  SshProcess own_ssh_;
  // set if this host is reached through another
  std::optional<RelayedSsh> relayed_ssh_;
  Ssh* ssh_ = &own_ssh_;  // The ssh in use.
  // the host through which this is reached, or null
  RemoteHost* through_;
  absl::flat_hash_map<uint32_t, RemoteHost*> branches_;  // Keyed by number.
  StartGate branch_gate_;      // for the ssh processes on this remote host
  StartGate* gate_ = nullptr;  // the gate that this host has entered
  std::optional<FrameStream> stream_;
  std::optional<job::InputSource> input_;  // Only on the host of rank 0.
  absl::flat_hash_map<uint32_t, job::ReportedRank> ranks_;  // Keyed by rank.
  State state_ = State::kIdle;
  int64_t patience_ends_ = kNever;
  uint32_t cpus_ = 1;
  bool has_agent_ = false;
  bool is_killed_ = false;     // true once the ssh was killed
  bool wants_finish_ = false;  // FINISH waits for the branches to end
  bool has_failed_ = false;
  bool is_drained_ = false;
  Owed owed_;                           // credit for output
  std::vector<std::string> ssh_lines_;  // kept for a message about a failure
};

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_REMOTE_HOST_H_
