// The ranks of one host, as the supervisor sees them. There are three kinds of
// host: this host (job/launch/host_ranks.h), a host behind a stream to an agent
// (tools/gasnetrun/remote/remote_host.h), and a host behind streams to members
// (job/managed/member_host.h). A HostObserver receives the host's events.
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

// Observes the ranks of a host. The calls for each rank come in this order:
// OnStarted, OnHello, OnGather for each gather, OnStatistics, OnExit. OnEnded
// comes after all frames of the rank's control channel.
class RankObserver {
 public:
  virtual ~RankObserver() = default;
  virtual void OnStarted(uint32_t rank, pid_t pid) = 0;
  virtual void OnHello(uint32_t rank, const Hello& hello) = 0;
  virtual void OnGather(uint32_t rank, const GatherPart& part) = 0;
  virtual void OnExit(uint32_t rank, int code) = 0;
  // The control channel has closed although the process goes on. `why` is empty
  // if the rank closed the channel.
  virtual void OnChannelClosed(uint32_t rank, const std::string& why) = 0;
  virtual void OnOutput(uint32_t rank, Stream stream,
                        std::string_view lines) = 0;
  // This signal stopped the rank because the rank wants the terminal and the
  // job does not have it. The rank continues once the job is in the foreground.
  virtual void OnLacksTerminal(uint32_t rank, int signal_number) = 0;
  virtual void OnEnded(uint32_t rank, int wait_status) = 0;
  // The answer to AskStatus. Only ranks that have started and not ended answer.
  virtual void OnStatus(uint32_t rank, const RankStatus& status) = 0;
  // The statistics of a rank that has joined. They may name peers that are not
  // ranks of the job. If a rank sends statistics again, the later ones replace
  // the earlier ones.
  virtual void OnStatistics(uint32_t rank,
                            const RankStatistics& statistics) = 0;
};

class HostObserver : public RankObserver {
 public:
  // The host has failed, or was never usable. Its ranks are lost, and no
  // further events follow. `code` is the job's code for this failure. `why` is
  // empty if the reason was already reported.
  virtual void OnHostFailed(uint32_t host, int code,
                            const std::string& why) = 0;
  // The host sends a message for the user.
  virtual void OnHostSays(const std::string& line) = 0;
};

class Host {
 public:
  using Frame = std::shared_ptr<const std::string>;

  virtual ~Host() = default;

  // Starts all ranks, or begins to start them. In a forked rank, returns the
  // rank's Handoff. The rank then destroys this object.
  virtual absl::StatusOr<std::optional<Handoff>> Start() = 0;

  // The host's name in messages.
  virtual const std::string& name() const = 0;
  // The number of CPUs that the host's ranks may use together. The number is
  // known once a rank has sent HELLO.
  virtual uint32_t cpus() const = 0;

  // Sends a frame to every rank that has joined.
  virtual void SendToAll(Frame frame) = 0;
  // Sends the END frame to a rank that has joined, or SIGTERM to one that has
  // not.
  virtual void SendEnd(uint32_t rank, Frame end) = 0;
  virtual void SignalGroups(int signal_number) = 0;
  virtual void SignalRanks(int signal_number) = 0;
  // Pause() stops all ranks, because this process is about to be stopped.
  // Continue() lets the ranks run again.
  virtual void Pause() = 0;
  virtual void Continue() = 0;

  // Asks all ranks for their status. The answers arrive now or later, or never
  // if the host does not answer.
  virtual void AskStatus() = 0;

  // Reads the ranks' output if `on` is true. If not, the output stays in the
  // pipe.
  virtual void SetReading(Stream stream, bool on) = 0;
  virtual bool HasOpenOutput() const = 0;

  // Checks if ranks have ended. Call it when a child of this process has ended.
  virtual void PollAll() = 0;
  // Expire does all work that is due. deadline returns the time at which work
  // is due next.
  virtual void Expire(int64_t now) = 0;
  virtual int64_t deadline() const = 0;

  // CleanUp kills all processes, reads their last output, and removes
  // everything that the host made. IsClean returns true once all this is
  // complete.
  virtual void CleanUp() = 0;
  virtual bool IsClean() const = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_HOST_H_
