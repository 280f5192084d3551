#include "job/managed/managed_rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/log.h"
#include "base/syscall.h"
#include "job/launch/forkable.h"
#include "job/managed/head.h"
#include "job/managed/head_address.h"
#include "job/managed/member.h"
#include "job/managed/pmi/process_manager.h"
#include "job/wire/secret.h"

namespace gasnet::job {
namespace {

// The means by which a job's processes meet: the address text that all
// processes know, and rank 0's socket.
struct MeetingPoint {
  std::optional<HeadSocket> socket;  // Rank 0 only.
  std::string text;
};

absl::StatusOr<MeetingPoint> OpenMeeting(const ProcessManager& manager) {
  MeetingPoint meeting;
  if (manager.rank() > 0) return meeting;
  const auto secret = Secret::Generate();
  if (!secret.ok()) return secret.status();
  auto socket = ListenForMembers(*secret, manager.is_on_one_host());
  if (!socket.ok()) return socket.status();
  meeting.text = socket->address.ToText();
  meeting.socket = *std::move(socket);
  return meeting;
}

absl::StatusOr<HeadAddress> Agree(ProcessManager& manager,
                                  MeetingPoint& meeting) {
  auto opened = OpenMeeting(manager);
  if (!opened.ok()) return opened.status();
  meeting = *std::move(opened);
  const auto text = manager.Broadcast(meeting.text);
  if (!text.ok()) return text.status();
  return HeadAddress::FromText(*text);
}

struct Enrolled {
  std::unique_ptr<Member> member;
  pid_t head_process = 0;  // Rank 0 only: the process id of the head.
};

// Reports the reason `why`. Makes the launcher end all processes, because the
// other processes would wait for this process.
absl::Status GiveUp(ProcessManager& manager, const absl::Status& why) {
  const std::string text(why.message());
  Warn("gasnet_init: %s", text.c_str());
  manager.Abort(EXIT_FAILURE, text);
  return absl::AbortedError(text);
}

// Ends the use of the launcher's library. The library may run threads, so this
// must precede any fork. Also flushes buffered output, so that forked processes
// do not write it again.
absl::Status Finish(ProcessManager& manager) {
  const absl::Status finished = manager.Finish();
  fflush(nullptr);
  return finished;
}

absl::StatusOr<std::unique_ptr<Member>> Enroll(const ProcessManager& manager,
                                               const HeadAddress& head) {
  auto member = std::make_unique<Member>(
      manager.rank(), manager.size(), head.secret, [head](int patience_millis) {
        return ConnectToHead(head, patience_millis);
      });
  const absl::Status enrolled = member->Enroll();
  if (!enrolled.ok()) return enrolled;
  return member;
}

// Starts the head and enrols rank 0's member. The other members wait in the
// head's listen queue until the head runs.
absl::StatusOr<Enrolled> EnrollRankZero(ProcessManager& manager,
                                        MeetingPoint meeting,
                                        const HeadAddress& head) {
  const absl::Status finished = Finish(manager);
  if (!finished.ok()) return finished;
  const auto started = StartHead(*std::move(meeting.socket), manager.size());
  if (!started.ok()) return started.status();
  auto member = Enroll(manager, head);
  if (!member.ok()) return member.status();
  return Enrolled{*std::move(member), *started};
}

// Enrols the member of a rank other than 0, and then disconnects from the
// launcher. Before the head knows this rank, only the launcher can tell the
// other processes that the rank is missing.
absl::StatusOr<Enrolled> EnrollOther(ProcessManager& manager,
                                     const HeadAddress& head) {
  auto member = Enroll(manager, head);
  if (!member.ok()) return GiveUp(manager, member.status());
  const absl::Status finished = Finish(manager);
  if (!finished.ok()) return finished;
  return Enrolled{*std::move(member)};
}

absl::StatusOr<Enrolled> Enroll(ProcessManager& manager) {
  MeetingPoint meeting;
  const auto head = Agree(manager, meeting);
  if (!head.ok()) return GiveUp(manager, head.status());
  return manager.rank() == 0
             ? EnrollRankZero(manager, std::move(meeting), *head)
             : EnrollOther(manager, *head);
}

// Runs the member. Then ends this process with the job's exit code. The
// launcher started this process, so it must not end before the job.
[[noreturn]] void RunToTheEnd(Member& member, pid_t head) {
  const int code = member.Run();
  if (head > 0) RetryOnEintr([&] { return waitpid(head, nullptr, 0); });
  _exit(code);
}

}  // namespace

absl::StatusOr<std::optional<Handoff>> ForkManagedRank() {
  // Counts threads before connecting, because the launcher's library may create
  // threads.
  const int threads = CountThreads();
  auto manager = ConnectToProcessManager();
  if (!manager.ok()) return manager.status();
  if (*manager == nullptr) return std::nullopt;
  const absl::Status forkable = CheckForkable(threads, (*manager)->size());
  if (!forkable.ok()) return GiveUp(**manager, forkable);
  auto enrolled = Enroll(**manager);
  if (!enrolled.ok()) return enrolled.status();
  auto handoff = enrolled->member->Start();
  if (!handoff.ok() || handoff->has_value()) return handoff;
  RunToTheEnd(*enrolled->member, enrolled->head_process);
}

}  // namespace gasnet::job
