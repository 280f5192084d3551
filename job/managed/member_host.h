// A host whose ranks belong to members (job/managed/member.h), as the head's
// supervisor sees it. Turns requests into frames for the members. Checks the
// members' frames and turns them into reports to the observer.
//
// The states of each member:
//
//   - enrolled: Start has sent the PLACE to the member.
//   - reported: the state of its rank (job/launch/rank_reports.h). The end
//     of a member's stream is the end of its rank.
//   - finished: nothing is left of its rank, or the member has gone.
//
// RemoteHost (tools/gasnetrun/remote/remote_host.h) is a host behind an agent.
// It gets the same requests, but ends in another way: one stream serves all its
// ranks, and an ssh process has to end after the stream. ReportedRank
// implements the reports and their order for both kinds of host.
//
// Used by one thread.
#ifndef JOB_MANAGED_MEMBER_HOST_H_
#define JOB_MANAGED_MEMBER_HOST_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "job/launch/event_loop.h"
#include "job/launch/frame_stream.h"
#include "job/launch/host.h"
#include "job/launch/rank_reports.h"
#include "job/managed/enrollment.h"
#include "job/wire/member_messages.h"
#include "job/wire/note.h"

namespace gasnet::job {

class MemberHost : public Host {
 public:
  // A callback for a signal by which the launcher has asked a member to end the
  // job.
  using SignalTaker = std::function<void(int)>;

  // Moves the streams of this host's members out of the roster.
  MemberHost(uint32_t number, const std::vector<uint32_t>& host_of,
             Roster& roster, EventLoop& loop, HostObserver& observer,
             SignalTaker take_signal);
  ~MemberHost() override;

  absl::StatusOr<std::optional<Handoff>> Start() override;

  const std::string& name() const override { return name_; }
  uint32_t cpus() const override { return cpus_; }

  void SendToAll(Frame frame) override;
  void SendEnd(uint32_t rank, Frame end) override;
  void SignalGroups(int signal_number) override;
  void SignalRanks(int signal_number) override;
  void Pause() override;
  void Continue() override;
  void AskStatus() override;

  // Does nothing, because the output of ranks does not come through this host.
  void SetReading(Stream, bool) override {}
  bool HasOpenOutput() const override { return false; }

  void PollAll() override {}
  void Expire(int64_t now) override;
  int64_t deadline() const override { return patience_ends_; }

  void CleanUp() override;
  bool IsClean() const override;

  // Makes the processes of the members end with `code`.
  void Release(int code);

 private:
  class MemberLink;

  void TakeNote(MemberLink& link, FrameType type, const Note& note);
  // Handles a member that is gone or must not be trusted.
  void Lose(MemberLink& link);
  void Fail(int code, const std::string& why);
  MemberLink* Find(uint32_t rank);
  void SendToOpen(FrameType type, const Note& note);

  const uint32_t number_;
  HostObserver& observer_;
  const SignalTaker take_signal_;
  std::string name_;
  uint32_t cpus_ = 1;
  SharedMemoryPlace place_;
  std::vector<std::unique_ptr<MemberLink>>
      links_;  // In ascending order of rank.
  bool has_failed_ = false;
  int64_t patience_ends_ = kNever;
};

}  // namespace gasnet::job

#endif  // JOB_MANAGED_MEMBER_HOST_H_
