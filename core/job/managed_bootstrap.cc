// Ranks of a job whose processes a launcher that is not ours has started.
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
#include "base/unique_fd.h"
#include "core/job/bootstrap.h"
#include "core/job/head.h"
#include "core/job/head_address.h"
#include "core/job/member.h"
#include "core/job/pmi/process_manager.h"
#include "core/job/secret.h"

namespace gasnet::job {
namespace {

// Where a job's processes meet: what rank 0 has, and what all know.
struct Meeting {
  std::optional<HeadSocket> socket;  // On rank 0.
  std::string text;
};

absl::StatusOr<Meeting> OpenMeeting(const ProcessManager& manager) {
  Meeting meeting;
  if (manager.rank() > 0) return meeting;
  const auto secret = Secret::Generate();
  if (!secret.ok()) return secret.status();
  auto socket = ListenForMembers(*secret, manager.is_on_one_host());
  if (!socket.ok()) return socket.status();
  meeting.text = socket->address.ToText();
  meeting.socket = *std::move(socket);
  return meeting;
}

absl::StatusOr<HeadAddress> Agree(ProcessManager& manager, Meeting& meeting) {
  auto opened = OpenMeeting(manager);
  if (!opened.ok()) return opened.status();
  meeting = *std::move(opened);
  const auto text = manager.Broadcast(meeting.text);
  if (!text.ok()) return text.status();
  return HeadAddress::FromText(*text);
}

struct Connected {
  UniqueFd stream;  // To the head.
  Secret secret;
  pid_t head_process = 0;  // On rank 0.
};

// The launcher ends all, since the others would wait for us; that is told
// before it does.
absl::Status GiveUp(ProcessManager& manager, const absl::Status& why) {
  const std::string text(why.message());
  Warn("gasnet_init: %s", text.c_str());
  manager.Abort(EXIT_FAILURE, text);
  return absl::AbortedError(text);
}

// Nothing is forked while the launcher's library may run threads; what is
// buffered then would be written by every process that we fork.
absl::Status Finish(ProcessManager& manager) {
  const absl::Status finished = manager.Finish();
  fflush(nullptr);
  return finished;
}

absl::StatusOr<Connected> ConnectAsRankZero(ProcessManager& manager,
                                            Meeting meeting,
                                            const HeadAddress& head) {
  const absl::Status finished = Finish(manager);
  if (!finished.ok()) return finished;
  const auto started = StartHead(*std::move(meeting.socket), manager.size());
  if (!started.ok()) return started.status();
  auto stream = ConnectToHead(head);
  if (!stream.ok()) return stream.status();
  return Connected{*std::move(stream), head.secret, *started};
}

// While the launcher can still be told that a rank does not reach the head:
// that one cannot tell the head.
absl::StatusOr<Connected> ConnectAsOther(ProcessManager& manager,
                                         const HeadAddress& head) {
  auto stream = ConnectToHead(head);
  if (!stream.ok()) return GiveUp(manager, stream.status());
  const absl::Status finished = Finish(manager);
  if (!finished.ok()) return finished;
  return Connected{*std::move(stream), head.secret};
}

absl::StatusOr<Connected> Connect(ProcessManager& manager) {
  Meeting meeting;
  const auto head = Agree(manager, meeting);
  if (!head.ok()) return GiveUp(manager, head.status());
  return manager.rank() == 0
             ? ConnectAsRankZero(manager, std::move(meeting), *head)
             : ConnectAsOther(manager, *head);
}

// The process that the launcher has started ends with the job.
[[noreturn]] void RunToTheEnd(Member& member, pid_t head) {
  const int code = member.Run();
  if (head > 0) RetryOnEintr([&] { return waitpid(head, nullptr, 0); });
  _exit(code);
}

}  // namespace

bool HasProcessManager() {
  const auto kind = DetectPmi();
  return kind.ok() && *kind != PmiKind::kNone;
}

absl::StatusOr<std::optional<Handoff>> ForkManagedRank() {
  auto manager = ConnectToProcessManager();
  if (!manager.ok()) return manager.status();
  if (*manager == nullptr) return std::nullopt;
  auto connected = Connect(**manager);
  if (!connected.ok()) return connected.status();
  auto member =
      std::make_unique<Member>((*manager)->rank(), (*manager)->size(),
                               connected->secret, std::move(connected->stream));
  auto handoff = member->Start();
  if (!handoff.ok() || handoff->has_value()) return handoff;
  RunToTheEnd(*member, connected->head_process);
}

}  // namespace gasnet::job
