// The ranks of one host, as the supervisor deals with them, wherever that host
// is: here (job/launch/host_ranks.h), or at the other end of a stream to an
// agent (tools/gasnetrun/remote/remote_host.h). Events there are reported to a
// HostObserver.
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
#include "job/wire/handoff.h"
#include "job/wire/messages.h"

namespace gasnet::job {

// Observes the ranks of a host. For each rank, in this order: OnStarted,
// OnHello, then gathers and the exit; OnEnded after all it said on its control
// channel.
class RankObserver {
 public:
  virtual ~RankObserver() = default;
  virtual void OnStarted(uint32_t rank, pid_t pid) = 0;
  virtual void OnHello(uint32_t rank, const Hello& hello) = 0;
  virtual void OnGather(uint32_t rank, const GatherPart& part) = 0;
  virtual void OnExit(uint32_t rank, int code) = 0;
  // The control channel of a process that goes on has closed; `why` is empty
  // when the rank closed it.
  virtual void OnChannelClosed(uint32_t rank, const std::string& why) = 0;
  virtual void OnOutput(uint32_t rank, Stream stream,
                        std::string_view lines) = 0;
  // It was stopped by this signal since it wants the terminal, which is not the
  // job's at present. It goes on as soon as the job is in the foreground.
  virtual void OnLacksTerminal(uint32_t rank, int signal_number) = 0;
  virtual void OnEnded(uint32_t rank, int wait_status) = 0;
};

class HostObserver : public RankObserver {
 public:
  // The host cannot be used, or not any more: its ranks are lost, and nothing
  // else will be reported of them. `code` is what that makes of the job; `why`
  // is empty where that is known already.
  virtual void OnHostFailed(uint32_t host, int code,
                            const std::string& why) = 0;
  // Something its user should read.
  virtual void OnHostSays(const std::string& line) = 0;
};

class Host {
 public:
  using Frame = std::shared_ptr<const std::string>;

  virtual ~Host() = default;

  // Starts all ranks, or begins to. In a rank that was forked answers what it
  // inherits; that process then destroys this object.
  virtual absl::StatusOr<std::optional<Handoff>> Start() = 0;

  // For messages.
  virtual const std::string& name() const = 0;
  // CPUs its ranks may use together; known once a rank has said HELLO.
  virtual uint32_t cpus() const = 0;

  // To every rank that has joined.
  virtual void SendToAll(Frame frame) = 0;
  // The END to a rank that has joined; SIGTERM to one that has not.
  virtual void SendEnd(uint32_t rank, Frame end) = 0;
  virtual void SignalGroups(int signal_number) = 0;
  virtual void SignalRanks(int signal_number) = 0;
  // We are stopped, with all ranks, and go on later.
  virtual void Pause() = 0;
  virtual void Continue() = 0;

  // Takes output in, or leaves it where it is.
  virtual void SetReading(Stream stream, bool on) = 0;
  virtual bool HasOpenOutput() const = 0;

  // A child of this process has ended.
  virtual void PollAll() = 0;
  // Time has passed; when there is next something to do.
  virtual void Expire(int64_t now) = 0;
  virtual int64_t deadline() const = 0;

  // Kills whatever is left, takes the last output, and removes everything; done
  // when IsClean.
  virtual void CleanUp() = 0;
  virtual bool IsClean() const = 0;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_HOST_H_
