// The ranks of one host, as the supervisor sees them. The host is either this
// one (job/launch/host_ranks.h) or behind a stream to an agent
// (tools/gasnetrun/remote/remote_host.h). A HostObserver receives its events.
#ifndef JOB_LAUNCH_HOST_H_
#define JOB_LAUNCH_HOST_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "job/launch/job_output.h"
#include "job/statistics/rank_statistics.h"
#include "job/status/rank_status.h"
#include "job/wire/handoff.h"
#include "job/wire/messages.h"

namespace gasnet::job {

// Observes the ranks of a host. Calls for each rank come in this order:
// OnStarted, OnHello, gathers, OnStatistics, OnExit; OnEnded follows all frames
// of its control channel.
class RankObserver {
 public:
  virtual ~RankObserver() = default;
  virtual void OnStarted(uint32_t rank, pid_t pid) = 0;
  virtual void OnHello(uint32_t rank, const Hello& hello) = 0;
  virtual void OnGather(uint32_t rank, const GatherPart& part) = 0;
  virtual void OnExit(uint32_t rank, int code) = 0;
  // The control channel closed while the process goes on. `why` is empty if the
  // rank closed it.
  virtual void OnChannelClosed(uint32_t rank, const std::string& why) = 0;
  virtual void OnOutput(uint32_t rank, Stream stream,
                        std::string_view lines) = 0;
  // This signal stopped the rank because it wants the terminal, which is not
  // available to the job. The rank continues once the job is in the foreground.
  virtual void OnLacksTerminal(uint32_t rank, int signal_number) = 0;
  virtual void OnEnded(uint32_t rank, int wait_status) = 0;
  // The answer to AskStatus, for a rank that has started and not ended.
  virtual void OnStatus(uint32_t rank, const RankStatus& status) = 0;
  // The statistics of a rank that has joined. They may name peers that are no
  // ranks of the job. If they come again, the last ones count.
  virtual void OnStatistics(uint32_t rank,
                            const RankStatistics& statistics) = 0;
};

class HostObserver : public RankObserver {
 public:
  // The host failed, or was never usable. Its ranks are lost, and no further
  // events follow. `code` is the job's code for that. `why` is empty if the
  // reason was already reported.
  virtual void OnHostFailed(uint32_t host, int code,
                            const std::string& why) = 0;
  // A message for the user.
  virtual void OnHostSays(const std::string& line) = 0;
};

class Host {
 public:
  using Frame = std::shared_ptr<const std::string>;

  virtual ~Host() = default;

  // Starts all ranks, or begins to. In a forked rank, returns the rank's
  // Handoff; that process then destroys this object.
  virtual absl::StatusOr<std::optional<Handoff>> Start() = 0;

  // The name in messages.
  virtual const std::string& name() const = 0;
  // The number of CPUs that its ranks may use together. Known once a rank has
  // sent HELLO.
  virtual uint32_t cpus() const = 0;

  // Sends a frame to every rank that has joined.
  virtual void SendToAll(Frame frame) = 0;
  // Sends the END to a rank that has joined, SIGTERM to one that has not.
  virtual void SendEnd(uint32_t rank, Frame end) = 0;
  virtual void SignalGroups(int signal_number) = 0;
  virtual void SignalRanks(int signal_number) = 0;
  // This process and all ranks are stopped, and continue later.
  virtual void Pause() = 0;
  virtual void Continue() = 0;

  // Asks for the status of all ranks. Reports arrive now or later, or never if
  // the host does not answer.
  virtual void AskStatus() = 0;

  // Reads the ranks' output, or leaves it in the pipe.
  virtual void SetReading(Stream stream, bool on) = 0;
  virtual bool HasOpenOutput() const = 0;

  // Checks all ranks, when a child of this process has ended.
  virtual void PollAll() = 0;
  // Does all work that is due. deadline() is the time of the next.
  virtual void Expire(int64_t now) = 0;
  virtual int64_t deadline() const = 0;

  // Kills all processes, reads the last output, and removes everything. IsClean
  // returns true once that is complete.
  virtual void CleanUp() = 0;
  virtual bool IsClean() const = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_HOST_H_
