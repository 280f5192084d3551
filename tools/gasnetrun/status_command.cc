#include "tools/gasnetrun/status_command.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/env_parse.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "job/status/status_socket_name.h"

namespace gasnet::gasnetrun {
namespace {

// The time limit for an answer. A launcher answers in time even if its hosts do
// not answer it.
constexpr int kAnswerSeconds = 10;

// Checks the process's owner: any user may bind a socket name that contains
// this user's id.
bool IsProcessOfThisUser(pid_t pid) {
  struct stat info;
  return stat(absl::StrCat("/proc/", pid).c_str(), &info) == 0 &&
         info.st_uid == geteuid();
}

absl::StatusOr<pid_t> OnlyJob() {
  std::ifstream sockets("/proc/net/unix");
  std::vector<pid_t> jobs = job::LaunchersOf(geteuid(), sockets);
  std::erase_if(jobs, [](pid_t pid) { return !IsProcessOfThisUser(pid); });
  if (jobs.size() == 1) return jobs.front();
  if (jobs.empty()) {
    return absl::NotFoundError(
        "--status: no gasnetrun of yours runs a job on this host");
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--status: ", jobs.size(),
                   " jobs of yours run on this host; name one by the process "
                   "number of its gasnetrun: ",
                   absl::StrJoin(jobs, ", ")));
}

absl::StatusOr<pid_t> JobOf(const CommandLine& line) {
  if (line.program.empty()) return OnlyJob();
  const std::optional<int64_t> pid = ParseInt(line.program.front());
  if (!pid.has_value() || *pid < 1 || line.program.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("--status: the job is '", absl::StrJoin(line.program, " "),
                     "'; accepted: the process number of its gasnetrun"));
  }
  return static_cast<pid_t>(*pid);
}

absl::StatusOr<UniqueFd> ConnectTo(pid_t launcher) {
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience = {.tv_sec = kAnswerSeconds, .tv_usec = 0};
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const job::StatusSocketAddress address(
      job::StatusSocketName(geteuid(), launcher));
  if (socket.valid() &&
      connect(socket.get(), address.get(), address.size) == 0) {
    if (job::IsOfThisUser(socket.get())) return socket;
    return absl::PermissionDeniedError(
        absl::StrCat("--status: process ", launcher, " is another user's"));
  }
  if (errno == ECONNREFUSED) {
    return absl::NotFoundError(absl::StrCat(
        "--status: no gasnetrun of yours on this host is process ", launcher));
  }
  return absl::ErrnoToStatus(
      errno, absl::StrCat("--status: cannot ask process ", launcher));
}

// Reads until the other end closes the connection.
absl::StatusOr<std::string> ReadAll(int socket) {
  std::string text;
  std::array<char, 4096> bytes;
  for (;;) {
    const ssize_t got =
        RetryOnEintr([&] { return read(socket, bytes.data(), bytes.size()); });
    if (got < 0 && errno == EAGAIN) {
      return absl::DeadlineExceededError(
          absl::StrCat("--status: gasnetrun has not answered for ",
                       kAnswerSeconds, " s; is it stopped?"));
    }
    if (got < 0) return absl::ErrnoToStatus(errno, "--status: no answer");
    if (got == 0) return text;
    text.append(bytes.data(), static_cast<size_t>(got));
  }
}

}  // namespace

absl::StatusOr<std::string> AskStatus(const CommandLine& line) {
  const absl::StatusOr<pid_t> launcher = JobOf(line);
  if (!launcher.ok()) return launcher.status();
  const absl::StatusOr<UniqueFd> socket = ConnectTo(*launcher);
  if (!socket.ok()) return socket.status();
  const std::string_view request =
      line.as_json ? job::kStatusAsJson : job::kStatusAsText;
  if (!WriteFull(socket->get(), request.data(), request.size())) {
    return absl::ErrnoToStatus(errno, "--status: cannot ask");
  }
  absl::StatusOr<std::string> answer = ReadAll(socket->get());
  if (answer.ok() && answer->empty()) {
    return absl::UnavailableError(absl::StrCat(
        "--status: process ", *launcher,
        " gave no answer; the job has ended, or too many ask at once"));
  }
  return answer;
}

}  // namespace gasnet::gasnetrun
