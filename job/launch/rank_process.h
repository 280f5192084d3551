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

// The surroundings common to the ranks of a host.
struct RankSurroundings {
  const JobPlan& plan;
  EventLoop& loop;
  Offspring& offspring;
  const Secret& secret;
  int secret_fd;
  int memory_fd;
  sigset_t mask;  // For forked ranks.
};

class RankProcess : public Connection::Listener {
 public:
  RankProcess(uint32_t rank, const RankSurroundings& surroundings,
              RankObserver& observer);

  // Starts it. In a forked rank returns what it inherits; that process then
  // destroys all of this.
  absl::StatusOr<std::optional<Handoff>> Start(int stdin_fd);

  void Send(std::shared_ptr<const std::string> frame);
  // Sends the END to a rank that has joined, SIGTERM to one that has not.
  void SendEnd(std::shared_ptr<const std::string> end);
  // Signals all processes of its group.
  void SignalGroup(int signal_number) const;
  // Signals the process that called gasnet_init, or else the one that was
  // started.
  void SignalRank(int signal_number) const;

  // Reports the status of a rank that has started and not ended. place: that
  // of its page in the host memory.
  void ReportStatus(uint32_t place);

  // Reports the end of the process if it has ended.
  void Poll();
  // Returns the signal that has stopped the process since the last call, or 0.
  int TakeStop() const;
  // Reaps the ended process. Until then its number and its group's are not
  // reused.
  void Reap();
  // Kills the rest of its group, takes the last output, and reaps.
  void CleanUp();

  // Takes output in, or leaves it in the pipe.
  void SetReading(Stream stream, bool on);
  bool HasOpenOutput() const;
  // Takes all output that is in the pipes now.
  void ReadOutput();
  void CloseOutput();

  // Does the work that is due by the clock. The deadline is the time of the
  // next.
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
  void OnClosed(const std::string& why) override;

  absl::Status OpenChannel(ChildEnds& ends);
  absl::Status OpenOutput(Stream stream, ChildEnds& ends);
  absl::StatusOr<pid_t> Spawn(const ChildEnds& ends, int stdin_fd,
                              const Handoff& handoff);
  void WatchChannel();
  // Reports a closed channel if the process goes on. A channel ends before its
  // process has ended, whose end is reported in another way.
  void ReportClosed(const std::string& why);
  bool IsEndingToo() const;
  // Returns true if the process that called gasnet_init is in this one's group.
  bool IsJoinedOneOurs() const;
  // Does one read. Returns false when there is nothing now.
  bool ReadSome(Stream stream);
  // Passes on the beginning of a line that has had no end for a while.
  void PassPartial(Stream stream);
  void CloseStream(Stream stream);

  const uint32_t rank_;
  const RankSurroundings& surroundings_;
  RankObserver& observer_;
  pid_t pid_ = 0;
  pid_t joined_pid_ = 0;
  bool ended_ = false;
  bool waits_to_write_ = false;
  // The time to look again, after its channel has ended while its process was
  // about to.
  int64_t next_look_ = kNever;
  std::optional<Connection> connection_;
  std::array<Output, 2> outputs_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_RANK_PROCESS_H_
