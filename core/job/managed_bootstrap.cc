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
#include "base/syscall.h"
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
  if (!opened.ok()) {
    // The others would wait for us.
    manager.Abort(EXIT_FAILURE, std::string(opened.status().message()));
    return opened.status();
  }
  meeting = *std::move(opened);
  const auto text = manager.Broadcast(meeting.text);
  if (!text.ok()) return text.status();
  const absl::Status finished = manager.Finish();
  if (!finished.ok()) return finished;
  return HeadAddress::FromText(*text);
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
  const uint32_t rank = (*manager)->rank();
  const uint32_t size = (*manager)->size();
  Meeting meeting;
  const auto head = Agree(**manager, meeting);
  if (!head.ok()) return head.status();
  // What is buffered now would be written by every process that we fork.
  fflush(nullptr);
  absl::StatusOr<pid_t> head_process = 0;
  if (meeting.socket.has_value()) {
    head_process = StartHead(*std::move(meeting.socket), size);
    if (!head_process.ok()) return head_process.status();
    meeting.socket.reset();
  }
  auto stream = ConnectToHead(*head);
  if (!stream.ok()) return stream.status();
  auto member =
      std::make_unique<Member>(rank, size, head->secret, *std::move(stream));
  auto handoff = member->Start();
  if (!handoff.ok() || handoff->has_value()) return handoff;
  RunToTheEnd(*member, *head_process);
}

}  // namespace gasnet::job
