// One rank as the launcher sees it: its process, its control channel, and the
// pipes of its output. Starts it and turns events on the descriptors into calls
// to the observer; decides nothing.
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

  // Starts the rank. In a forked rank, returns its Handoff; that process then
  // destroys this object.
  absl::StatusOr<std::optional<Handoff>> Start(int stdin_fd);

  void Send(std::shared_ptr<const std::string> frame);
  // Sends END to a rank that has joined, SIGTERM to one that has not.
  void SendEnd(std::shared_ptr<const std::string> end);
  // Signals all processes of its group.
  void SignalGroup(int signal_number) const;
  // Signals the process that called gasnet_init, or else the started process.
  void SignalRank(int signal_number) const;

  // Reports the status of a rank that has started and not ended. `place` is the
  // index of its page in the host memory.
  void ReportStatus(uint32_t place);

  // Reports the end of the process if it has ended.
  void Poll();
  // Returns the signal that has stopped the process since the last call, or 0.
  int TakeStop() const;
  // Reaps the ended process. Its process id and group are not reused before.
  void Reap();
  // Kills the rest of its group, reads the last output, and reaps.
  void CleanUp();

  // Reads output, or leaves it in the pipe.
  void SetReading(Stream stream, bool on);
  bool HasOpenOutput() const;
  // Reads all output that is in the pipes now.
  void ReadOutput();
  void CloseOutput();

  // Does the work that is due. deadline() is the time of the next.
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
  // Reports a closed channel if the process goes on. A channel closes before
  // its process has ended, and the end itself is reported in another way.
  void ReportClosed(const std::string& why);
  bool IsEndingToo() const;
  // Returns true if the process that called gasnet_init is in this rank's
  // group.
  bool IsJoinedOneOurs() const;
  // Does one read. Returns false when there is nothing now.
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
  // The time of the next check after the channel closed while the process was
  // about to end.
  int64_t next_look_ = kNever;
  std::optional<Connection> connection_;
  std::array<Output, 2> outputs_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_RANK_PROCESS_H_
