// One rank as the launcher sees it: its process, its control channel, and the
// pipes of its output. Starts the process and reports events on the descriptors
// to the observer. Makes no decisions.
#ifndef JOB_LAUNCH_RANK_PROCESS_H_
#define JOB_LAUNCH_RANK_PROCESS_H_

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "job/launch/connection.h"
#include "job/launch/event_loop.h"
#include "job/launch/host.h"
#include "job/launch/job_output.h"
#include "job/launch/job_plan.h"
#include "job/launch/line_splitter.h"
#include "job/launch/offspring.h"
#include "job/launch/spawn.h"
#include "job/wire/handoff.h"
#include "job/wire/secret.h"

namespace gasnet::job {

// The objects that the ranks of a host have in common.
struct RankSurroundings {
  const JobPlan& plan;
  EventLoop& loop;
  Offspring& offspring;
  const Secret& secret;
  int secret_fd;
  int memory_fd;
  sigset_t mask;  // The signal mask of forked ranks.
};

class RankProcess : public Connection::Listener {
 public:
  RankProcess(uint32_t rank, const RankSurroundings& surroundings,
              RankObserver& observer);

  // Starts the rank. If the rank is a fork, the call also returns in the child,
  // with the child's Handoff. The child then destroys this object.
  absl::StatusOr<std::optional<Handoff>> Start(int stdin_fd);

  void Send(std::shared_ptr<const std::string> frame);
  // Sends END to a rank that has joined, or SIGTERM to a rank that has not.
  void SendEnd(std::shared_ptr<const std::string> end);
  // Signals all processes of the rank's process group.
  void SignalGroup(int signal_number) const;
  // Signals the process that called gasnet_init. If no process has done so yet,
  // signals the process that the launcher started.
  void SignalRank(int signal_number) const;

  // Reports the status of a rank that has started and not ended. `place` is the
  // index of the rank's page in the host memory.
  void ReportStatus(uint32_t place);

  // Reports the end of the process to the observer if the process has ended.
  void Poll();
  // Returns the signal that has stopped the process since the last call, or 0.
  int TakeStop() const;
  // Reaps the ended process. The kernel does not reuse the process id or
  // process group before that.
  void Reap();
  // Kills the rest of the process group, reads the last output, and reaps the
  // process.
  void CleanUp();

  // Starts to read a stream's output if `on` is true. If not, stops reading and
  // leaves the output in the pipe.
  void SetReading(Stream stream, bool on);
  bool HasOpenOutput() const;
  // Reads all output that is in the pipes now.
  void ReadOutput();
  void CloseOutput();

  // Expire does the work that is due at `now`. deadline returns the time of the
  // next work.
  void Expire(int64_t now);
  int64_t deadline() const;

  uint32_t rank() const { return rank_; }
  pid_t pid() const { return pid_; }
  bool started() const { return pid_ > 0; }
  bool ended() const { return ended_; }
  bool joined() const { return joined_pid_ != 0; }

 private:
  struct Output {
    UniqueFd pipe;
    LineSplitter lines;
    int64_t pass_at = kNever;  // Time to pass on a partial line.
  };

  struct ChildEnds {
    UniqueFd control;
    std::array<UniqueFd, 2> streams;
  };

  bool OnHello(const Hello& hello) override;
  void OnGather(const GatherPart& part) override;
  void OnExit(int code) override;
  void OnStatistics(const RankStatistics& statistics) override;
  void OnClosed(const std::string& why) override;

  absl::Status OpenChannel(ChildEnds& ends);
  absl::Status OpenOutput(Stream stream, ChildEnds& ends);
  absl::StatusOr<pid_t> Spawn(const ChildEnds& ends, int stdin_fd,
                              const Handoff& handoff);
  void WatchChannel();
  // Reports a closed channel if the process goes on. Does nothing if the
  // process is ending, because Poll() then reports the end.
  void ReportClosed(const std::string& why);
  bool IsEndingToo() const;
  // Returns true if the process that called gasnet_init is in this rank's
  // group.
  bool IsJoinedOneOurs() const;
  // Reads once from the pipe. Returns false if nothing is there now.
  bool ReadSome(Stream stream);
  // Passes on the beginning of a line that has stayed incomplete for a while.
  void PassPartial(Stream stream);
  void CloseStream(Stream stream);

  const uint32_t rank_;
  const RankSurroundings& surroundings_;
  RankObserver& observer_;
  pid_t pid_ = 0;
  pid_t joined_pid_ = 0;
  bool ended_ = false;
  bool waits_to_write_ = false;
  // The time to check again if the process has ended. Set when the channel
  // closes while the process is about to end.
  int64_t next_look_ = kNever;
  std::optional<Connection> connection_;
  std::array<Output, 2> outputs_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_RANK_PROCESS_H_
