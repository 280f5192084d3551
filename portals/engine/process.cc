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

#include "base/cancellation.h"
#include "base/syscall.h"
#include "base/unique_fd.h"

namespace gasnet::portals4 {

namespace internal {
ProcessWord this_process = 0;
}  // namespace internal

namespace {

// Numbers of fields of /proc/PID/stat. The fields are numeric, and they come
// after the second field. That field is the name, and may contain any
// character.
constexpr int kFlags = 9;
constexpr int kStartTime = 22;
uint32_t NumberIn(const char* stat, int field) {
  const char* at = std::strrchr(stat, ')');
  for (int behind = 2; at != nullptr && behind < field; ++behind) {
    at = std::strchr(at + 1, ' ');
  }
  if (at == nullptr) return 0;
  return static_cast<uint32_t>(std::strtoull(at, nullptr, 10));
}

struct Stat {
  ProcessWord process = 0;
  bool exits = false;  // true if the process or its first thread is exiting
};

bool HasEnded(pid_t pid) {
  const NoCancellation whole;
  const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process.valid()) return errno == ESRCH;
  pollfd wait = {.fd = process.get(), .events = POLLIN, .revents = 0};
  return poll(&wait, 1, 0) == 1;
}

bool SaysThereIsNone(int error) { return error == ENOENT || error == ESRCH; }

// Reads the kernel's data about a process. The result's `process` is 0 if there
// is no such process. Returns nothing if the kernel gives no answer, for
// instance because no descriptor is left.
std::optional<Stat> Ask(pid_t pid) {
  const NoCancellation whole;
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
  const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    if (SaysThereIsNone(errno)) return Stat{};
    return std::nullopt;
  }
  char stat[512];
  const ssize_t size = ReadFull(file.get(), stat, sizeof stat - 1);
  if (size == 0 || (size < 0 && SaysThereIsNone(errno))) return Stat{};
  if (size < 0) return std::nullopt;
  stat[size] = '\0';
  constexpr uint32_t kExits = 0x4;  // PF_EXITING of the kernel
  return Stat{
      (uint64_t{NumberIn(stat, kStartTime)} << 32) | static_cast<uint32_t>(pid),
      (NumberIn(stat, kFlags) & kExits) != 0};
}

}  // namespace

ProcessWord IdentifyProcess(pid_t pid) {
  return Ask(pid).value_or(Stat{}).process;
}

void IdentifyThisProcess() {
  internal::this_process = IdentifyProcess(getpid());
}

Life LifeOf(ProcessWord process) {
  const pid_t pid = PidOf(process);
  if (pid <= 0 || HasEnded(pid)) return Life::kOver;
  const Stat stat = Ask(pid).value_or(Stat{process, true});
  if (stat.process != process) return Life::kOver;
  return stat.exits ? Life::kMayEnd : Life::kGoesOn;
}

}  // namespace gasnet::portals4
