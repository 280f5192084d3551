// The process of gasnetrun on another host. The agent owns the ranks on its
// host (HostRanks), and the ssh processes to hosts that are reached through it
// (Relays). It receives the launcher's requests on standard input and sends
// reports to standard output.
//
//   - kWaiting: START has not arrived.
//   - kRunning: the ranks have been started.
//   - kEnded: nothing is left to do. The launcher sent FINISH or is gone, or
//     this agent could not begin or received a request to end.
//
// The agent ends its ranks if the launcher's stream ends or falls silent. If
// the agent itself is killed, its guardian kills the ranks.
#ifndef TOOLS_GASNETRUN_REMOTE_AGENT_H_
#define TOOLS_GASNETRUN_REMOTE_AGENT_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/unique_fd.h"
#include "job/launch/event_loop.h"
#include "job/launch/frame_stream.h"
#include "job/launch/host_ranks.h"
#include "job/launch/input_pipe.h"
#include "job/launch/job_plan.h"
#include "job/launch/launcher_signals.h"
#include "job/launch/offspring.h"
#include "job/launch/rank_reports.h"
#include "job/wire/secret.h"
#include "tools/gasnetrun/remote/agent_messages.h"
#include "tools/gasnetrun/remote/relays.h"
#include "tools/gasnetrun/remote/window.h"

namespace gasnet::gasnetrun {

class Agent : private job::RankReporter, private FrameStream::Listener {
 public:
  // Reads frames from `in` and writes frames to `out`.
  Agent(UniqueFd in, UniqueFd out);

  // Runs until kEnded. Returns the exit code of the agent.
  int Run();

 private:
  enum class State { kWaiting, kRunning, kEnded };

  // RankReporter: sends the ranks' events to the launcher. The agent also
  // records events for its own use.
  void Report(job::FrameType type, const Note& note) override;
  void OnStarted(uint32_t rank, pid_t pid) override;
  void OnOutput(uint32_t rank, job::Stream stream,
                std::string_view lines) override;
  void OnEnded(uint32_t rank, int wait_status) override;

  // FrameStream::Listener: takes the launcher's requests.
  void OnFrame(const job::Frame& frame) override;
  void OnStreamEnd(FrameStream::End end) override;
  void TakeNote(job::FrameType type, const Note& note);

  // Start the ranks (agent_start.cc).
  void TakeOrder(const job::Frame& frame);
  absl::Status Prepare(const StartOrder& order);
  absl::Status StartRanks(uint32_t relays);
  void OpenInput();

  void TakeSignals();
  // Reads the ranks' output only while the launcher accepts it.
  void UpdateReading();
  void ReportIfDrained();
  void Finish();
  void Fail(int code, const std::string& why);

  job::LauncherSignals signals_;
  job::EventLoop loop_;
  FrameStream stream_;
  State state_ = State::kWaiting;
  int code_ = 0;

  uint32_t host_ = 0;
  job::JobPlan plan_;
  std::optional<job::Secret> secret_;
  std::unique_ptr<job::Offspring> offspring_;
  std::unique_ptr<job::HostRanks> ranks_;
  std::optional<Relays> relays_;
  std::unique_ptr<job::InputPipe> input_;
  CreditWindow output_window_{kOutputWindow};
  // streams that the launcher wants
  std::array<bool, 2> wanted_ = {true, true};
  // The value last passed to ranks_->SetReading.
  std::array<bool, 2> reading_ = {true, true};
  uint32_t running_ = 0;  // Ranks that have not ended.
  bool told_drained_ = false;
};

// The main function of `gasnetrun --agent`.
int RunAgent();

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_AGENT_H_
