// Reports on a rank to a supervisor in another process, as notes
// (job/wire/note.h). The process that owns the rank reports. It is an agent of
// gasnetrun or a member (job/managed/member.h).
//
// RankReporter is the owner's side. It observes its ranks and turns each event
// into a note. ReportedRank is the supervisor's side, one object for each rank.
// It turns the notes back into the same events. It refuses notes in an
// impossible order:
//
//   kUnstarted --STARTED--> kStarted --RANK_HELLO--> kJoined
//                               |  RANK_CLOSED          |  RANK_CLOSED
//                               |                       |  RANK_GATHER
//                               |                       |  RANK_STATISTICS
//                               |                       |  RANK_EXIT
//                               `-------RANK_ENDED------+--> kEnded
//
// RANK_OUTPUT is accepted in every state except kUnstarted, because a rank's
// output may be read after its process has ended. RANK_STATUS is accepted in
// kStarted and kJoined. If the owner is lost, the rank counts as ended, in any
// state (Lose).
//
// Neither side depends on streams, processes or time. Used by one thread.
#ifndef JOB_LAUNCH_RANK_REPORTS_H_
#define JOB_LAUNCH_RANK_REPORTS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "job/launch/host.h"
#include "job/launch/job_output.h"
#include "job/wire/frame.h"
#include "job/wire/messages.h"
#include "job/wire/note.h"

namespace gasnet::job {

class RankReporter : public RankObserver {
 public:
  void OnStarted(uint32_t rank, pid_t pid) override;
  void OnHello(uint32_t rank, const Hello& hello) override;
  void OnGather(uint32_t rank, const GatherPart& part) override;
  void OnExit(uint32_t rank, int code) override;
  void OnChannelClosed(uint32_t rank, const std::string& why) override;
  void OnOutput(uint32_t rank, Stream stream, std::string_view lines) override;
  // Does nothing. A user cannot bring a rank of another host to the foreground
  // of a terminal.
  void OnLacksTerminal(uint32_t, int) override {}
  void OnEnded(uint32_t rank, int wait_status) override;
  void OnStatus(uint32_t rank, const RankStatus& status) override;
  void OnStatistics(uint32_t rank, const RankStatistics& statistics) override;

 private:
  virtual void Report(FrameType type, const Note& note) = 0;
};

class ReportedRank {
 public:
  // Handles a note. Returns false, and reports nothing, if the note is not a
  // report on a rank or is impossible in this state. The caller must then not
  // trust the rank's owner.
  bool Take(FrameType type, const Note& note, RankObserver& observer);

  // Handles the loss of the rank's owner. Reports the rank's end, unless the
  // end was already reported.
  void Lose(uint32_t rank, RankObserver& observer);

  bool joined() const { return state_ == State::kJoined; }
  bool ended() const { return state_ == State::kEnded; }

 private:
  enum class State { kUnstarted, kStarted, kJoined, kEnded };

  bool TakeOfRunning(FrameType type, const Note& note, RankObserver& observer);
  bool TakeOfJoined(FrameType type, const Note& note, RankObserver& observer);

  State state_ = State::kUnstarted;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_RANK_REPORTS_H_
