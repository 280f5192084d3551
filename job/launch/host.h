// The ranks of one host, as the supervisor sees them. The host is this one
// (job/launch/host_ranks.h), or at the other end of a stream to an agent
// (tools/gasnetrun/remote/remote_host.h). A HostObserver gets the events of the
// host.
//
// States: created; started (Start); cleaned (CleanUp, once IsClean answers
// true). Nothing blocks. One thread.
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
#include "job/status/rank_status.h"
#include "job/wire/handoff.h"
#include "job/wire/messages.h"

namespace gasnet::job {

// Observes the ranks of a host. The order of calls for each rank is: OnStarted,
// OnHello, gathers and the exit; OnEnded follows all frames of its control
// channel.
class RankObserver {
 public:
  virtual ~RankObserver() = default;
  virtual void OnStarted(uint32_t rank, pid_t pid) = 0;
  virtual void OnHello(uint32_t rank, const Hello& hello) = 0;
  virtual void OnGather(uint32_t rank, const GatherPart& part) = 0;
  virtual void OnExit(uint32_t rank, int code) = 0;
  // The control channel of a process that goes on has closed. `why` is empty if
  // the rank closed it.
  virtual void OnChannelClosed(uint32_t rank, const std::string& why) = 0;
  virtual void OnOutput(uint32_t rank, Stream stream,
                        std::string_view lines) = 0;
  // This signal stopped the rank, since it wants the terminal, which the job
  // lacks at present. It goes on as soon as the job is in the foreground.
  virtual void OnLacksTerminal(uint32_t rank, int signal_number) = 0;
  virtual void OnEnded(uint32_t rank, int wait_status) = 0;
  // The answer to AskStatus, of a rank that has started and not ended.
  virtual void OnStatus(uint32_t rank, const RankStatus& status) = 0;
};

class HostObserver : public RankObserver {
 public:
  // The host cannot be used, or no longer: its ranks are lost, and nothing else
  // is reported of them. `code` is the job's code for that. `why` is empty if
  // it is known already.
  virtual void OnHostFailed(uint32_t host, int code,
                            const std::string& why) = 0;
  // A message for the user.
  virtual void OnHostSays(const std::string& line) = 0;
};

class Host {
 public:
  using Frame = std::shared_ptr<const std::string>;

  virtual ~Host() = default;

  // Starts all ranks, or begins to. In a forked rank returns what it inherits;
  // that process then destroys this object.
  virtual absl::StatusOr<std::optional<Handoff>> Start() = 0;

  // The name in messages.
  virtual const std::string& name() const = 0;
  // The number of CPUs that its ranks may use together; known once a rank has
  // said HELLO.
  virtual uint32_t cpus() const = 0;

  // Sends a frame to every rank that has joined.
  virtual void SendToAll(Frame frame) = 0;
  // Sends the END to a rank that has joined, SIGTERM to one that has not.
  virtual void SendEnd(uint32_t rank, Frame end) = 0;
  virtual void SignalGroups(int signal_number) = 0;
  virtual void SignalRanks(int signal_number) = 0;
  // This process is stopped, with all ranks, and goes on later.
  virtual void Pause() = 0;
  virtual void Continue() = 0;

  // Asks for the status of all ranks. Each is reported at once or later, or
  // never if its host does not answer.
  virtual void AskStatus() = 0;

  // Takes output in, or leaves it in the pipe.
  virtual void SetReading(Stream stream, bool on) = 0;
  virtual bool HasOpenOutput() const = 0;

  // Checks all ranks, when a child of this process has ended.
  virtual void PollAll() = 0;
  // Does what is due, and gives the time at which there is next something to
  // do.
  virtual void Expire(int64_t now) = 0;
  virtual int64_t deadline() const = 0;

  // Kills all that is left, takes the last output, and removes everything. Done
  // when IsClean.
  virtual void CleanUp() = 0;
  virtual bool IsClean() const = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_HOST_H_
