// A process that a foreign launcher has started, and that has forked a rank.
// The member owns the rank, as gasnetrun's agent on another host would. It
// carries out the requests of the job's head, and reports events to the head.
// When the head releases the member, it ends with the job's exit code. So the
// launcher sees no process end before the job does, and all processes end with
// the same code.
//
//   - kEnrolling: the member has sent MEMBER, and waits for its PLACE. If
//     the stream closes now, the head has ended, or has dropped the member
//     to admit newer connections. The member connects and sends MEMBER
//     again, a few times.
//   - kRunning: the rank has been forked.
//   - kFinished: nothing is left of the rank.
//   - kOver: the member was released, or has lost the head. It ends.
//
// If the launcher is gone, the member asks the head to end the job, as on
// SIGTERM. If the member loses the head, it kills its rank. If the member
// itself is killed, its guardian kills the rank. Used by one thread.
#ifndef JOB_MANAGED_MEMBER_H_
#define JOB_MANAGED_MEMBER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "job/launch/event_loop.h"
#include "job/launch/frame_stream.h"
#include "job/launch/job_plan.h"
#include "job/launch/launcher_signals.h"
#include "job/launch/offspring.h"
#include "job/launch/rank_process.h"
#include "job/launch/rank_reports.h"
#include "job/wire/handoff.h"
#include "job/wire/member_messages.h"
#include "job/wire/note.h"
#include "job/wire/secret.h"

namespace gasnet::job {

class Member : public RankReporter, public FrameStream::Listener {
 public:
  // Connects to the head within `patience_millis`. Returns DeadlineExceeded if
  // a retry may succeed, and another error if not.
  using Connect = std::function<absl::StatusOr<UniqueFd>(int patience_millis)>;

  Member(uint32_t rank, uint32_t size, const Secret& secret, Connect connect);

  // Connects to the head and identifies this process. After this, the head
  // notices the end of this process. Called once, before the other calls.
  absl::Status Enroll();

  // Waits until all members have enrolled, and forks the rank. Returns the
  // rank's Handoff in the rank; the rank then destroys the member object.
  absl::StatusOr<std::optional<Handoff>> Start();

  // Runs until the job is over. Returns the job's exit code.
  int Run();

 private:
  enum class State { kEnrolling, kRunning, kFinished, kOver };

  // RankReporter: sends events to the head.
  void Report(FrameType type, const Note& note) override;
  // Does nothing: output goes directly to the launcher.
  void OnOutput(uint32_t, Stream, std::string_view) override {}

  // FrameStream::Listener: handles the head's requests.
  void OnFrame(const Frame& frame) override;
  void OnStreamEnd(FrameStream::End end) override;
  void TakePlace(const Frame& frame);
  void TakeRequest(FrameType type, std::string_view payload);
  void TakeNote(FrameType type, const Note& note);

  absl::Status SayMember();
  absl::Status SayMemberAgain();
  void WatchLauncher();
  absl::Status AwaitPlace();
  absl::StatusOr<std::optional<Handoff>> Fork();
  void Say(FrameType type, uint32_t value, std::string_view bytes = {});
  void TakeSignals();
  void TakeSignal(int signal_number);
  void TakeSignalWhileEnrolling(int signal_number);
  void Turn();
  void Finish();

  const uint32_t rank_;
  const Secret secret_;
  const Connect connect_;
  JobPlan plan_;
  LauncherSignals signals_;
  UniqueFd launcher_;  // A pidfd of the launcher.
  EventLoop loop_;
  std::optional<FrameStream> stream_;
  int tries_ = 0;
  bool is_dropped_ = false;
  State state_ = State::kEnrolling;
  std::optional<SharedMemoryPlace> place_;
  // Frames that arrived after the PLACE and before the fork of the rank.
  std::vector<std::pair<FrameType, std::string>> early_;
  int code_ = 0;

  UniqueFd memory_;
  UniqueFd secret_fd_;
  std::unique_ptr<Offspring> offspring_;
  std::optional<RankSurroundings> surroundings_;
  std::unique_ptr<RankProcess> process_;
};

}  // namespace gasnet::job

#endif  // JOB_MANAGED_MEMBER_H_
