#include "job/launch/guardian.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>

#include "absl/status/status.h"
#include "base/signal_mask.h"
#include "base/syscall.h"

namespace gasnet::job {
namespace {

std::span<std::atomic<pid_t>> MapTable(uint32_t ranks) {
  void* table = mmap(nullptr, ranks * sizeof(std::atomic<pid_t>),
                     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (table == MAP_FAILED) return {};
  return {static_cast<std::atomic<pid_t>*>(table), ranks};
}

// Closes a range of descriptors. If the kernel is too old for close_range,
// closes each descriptor number up to the limit.
void CloseRange(unsigned first, unsigned last) {
  if (first > last || syscall(SYS_close_range, first, last, 0) == 0) return;
  const unsigned limit = static_cast<unsigned>(sysconf(_SC_OPEN_MAX));
  for (unsigned fd = first; fd <= last && fd < limit; ++fd) close(fd);
}

void CloseAllBut(unsigned fd) {
  if (fd > 0) CloseRange(0, fd - 1);
  CloseRange(fd + 1, UINT_MAX);
}

}  // namespace

Guardian::Guardian(std::span<std::atomic<pid_t>> groups, UniqueFd alive)
    : groups_(groups), alive_(std::move(alive)) {}

Guardian::~Guardian() { munmap(groups_.data(), groups_.size_bytes()); }

absl::StatusOr<std::unique_ptr<Guardian>> Guardian::Start(uint32_t ranks) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe");
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const auto table = MapTable(ranks);
  if (table.empty()) return absl::ErrnoToStatus(errno, "mmap");
  std::unique_ptr<Guardian> guardian(new Guardian(table, std::move(write_end)));
  const BlockAllSignals inherited_by_the_child;
  guardian->pid_ = fork();
  if (guardian->pid_ == 0) guardian->Guard(read_end.get());
  if (guardian->pid_ < 0) return absl::ErrnoToStatus(errno, "fork");
  return guardian;
}

void Guardian::Guard(int launcher_is_alive) {
  prctl(PR_SET_NAME, "gasnet-guardian");
  setsid();
  CloseAllBut(static_cast<unsigned>(launcher_is_alive));
  char dismissed;
  if (ReadFull(launcher_is_alive, &dismissed, 1) == 1) _exit(EXIT_SUCCESS);
  for (const std::atomic<pid_t>& group : groups_) {
    if (group > 0) kill(-group, SIGKILL);
  }
  _exit(EXIT_SUCCESS);
}

void Guardian::Dismiss() {
  if (!WriteFull(alive_.get(), "", 1)) kill(pid_, SIGKILL);
  RetryOnEintr([&] { return waitpid(pid_, nullptr, 0); });
}

}  // namespace gasnet::job
