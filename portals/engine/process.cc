#include "portals/engine/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/syscall.h"
#include "base/unique_fd.h"

namespace gasnet::portals4 {

namespace internal {
ProcessWord this_process = 0;
}  // namespace internal

namespace {

// Field 22 of /proc/PID/stat, behind the name, which may contain anything.
uint32_t StartTime(const char* stat) {
  constexpr int kFieldsBehindName = 20;
  const char* at = std::strrchr(stat, ')');
  for (int field = 0; at != nullptr && field < kFieldsBehindName; ++field) {
    at = std::strchr(at + 1, ' ');
  }
  if (at == nullptr) return 0;
  return static_cast<uint32_t>(std::strtoull(at, nullptr, 10));
}

bool HasEnded(pid_t pid) {
  const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process.valid()) return errno == ESRCH;
  pollfd wait = {.fd = process.get(), .events = POLLIN, .revents = 0};
  return poll(&wait, 1, 0) == 1;
}

bool SaysThereIsNone(int error) { return error == ENOENT || error == ESRCH; }

// The process of a number; 0: there is none. Nothing where the kernel does not
// say, as it cannot when there is no descriptor left.
std::optional<ProcessWord> Ask(pid_t pid) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
  const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    if (SaysThereIsNone(errno)) return 0;
    return std::nullopt;
  }
  char stat[512];
  const ssize_t size = ReadFull(file.get(), stat, sizeof stat - 1);
  if (size == 0 || (size < 0 && SaysThereIsNone(errno))) return 0;
  if (size < 0) return std::nullopt;
  stat[size] = '\0';
  return (uint64_t{StartTime(stat)} << 32) | static_cast<uint32_t>(pid);
}

}  // namespace

ProcessWord IdentifyProcess(pid_t pid) { return Ask(pid).value_or(0); }

void IdentifyThisProcess() {
  internal::this_process = IdentifyProcess(getpid());
}

bool IsAlive(ProcessWord process) {
  const pid_t pid = PidOf(process);
  if (pid <= 0 || HasEnded(pid)) return false;
  return Ask(pid).value_or(process) == process;
}

}  // namespace gasnet::portals4
