#include "job/memory/memory_shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/syscall.h"
#include "job/memory/host_memory.h"

namespace gasnet::job {
namespace {

constexpr char kRemedy[] =
    "make that file system larger (in a container: --shm-size) or set "
    "GASNET_HOST_MEMORY=memfd, which needs none";

// A guarded range of memory, or an unguarded one if `end` is 0. Never freed,
// because the signal handler may read it at any time.
struct GuardedRange {
  uintptr_t begin;
  std::atomic<uintptr_t> end;
  std::string what;
  GuardedRange* next;
};

enum Reporting : int { kNot, kNow, kDone };

std::atomic<GuardedRange*> ranges{nullptr};
std::atomic<int> reporting{kNot};
char directory[PATH_MAX] = "";
struct sigaction before_us;

// Returns the directory in which the file was made. /proc still shows the
// directory, although the file has no name.
std::string DirectoryOf(int fd) {
  char target[PATH_MAX] = "";
  const std::string link = absl::StrCat("/proc/self/fd/", fd);
  if (readlink(link.c_str(), target, sizeof target - 1) < 0) target[0] = '\0';
  const std::string path = target;
  const size_t slash = path.rfind('/');
  const bool is_known = slash != std::string::npos && slash > 0;
  return is_known ? path.substr(0, slash) : "its file system";
}

const GuardedRange* Find(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  // Acquire: pairs with the insertion in GuardHostMemory. All fields of the
  // ranges are then visible.
  const GuardedRange* range = ranges.load(std::memory_order_acquire);
  while (range != nullptr && (at < range->begin || at >= range->end.load())) {
    range = range->next;
  }
  return range;
}

// Reports once, on the first thread that calls this. Other threads wait for the
// report, so that they do not end the process before the report is printed.
void Report(const GuardedRange& range) {
  int state = kNot;
  if (reporting.compare_exchange_strong(state, kNow)) {
    Warn(
        "%s is full: there is no room for a page of %s. Ask for smaller "
        "segments (GASNET_MAX_SEGSIZE), %s",
        directory, range.what.c_str(), kRemedy);
    reporting.store(kDone);
  }
  while (reporting.load() != kDone) sched_yield();
}

// Does what would have happened without this handler.
void PassOn(int signal_number, siginfo_t* info, void* context) {
  const bool was_sent = info->si_code <= 0;
  if ((before_us.sa_flags & SA_SIGINFO) != 0) {
    return before_us.sa_sigaction(signal_number, info, context);
  }
  if (before_us.sa_handler == SIG_IGN && was_sent) return;
  if (before_us.sa_handler != SIG_DFL && before_us.sa_handler != SIG_IGN) {
    return before_us.sa_handler(signal_number);
  }
  // If an access raised the signal, the access is repeated, and the signal then
  // ends the process.
  signal(signal_number, SIG_DFL);
  if (was_sent) raise(signal_number);
}

void OnBusError(int signal_number, siginfo_t* info, void* context) {
  const int error = errno;
  const GuardedRange* const range =
      info->si_code == BUS_ADRERR ? Find(info->si_addr) : nullptr;
  if (range != nullptr) Report(*range);
  errno = error;
  PassOn(signal_number, info, context);
}

bool IsAnyGuarded() {
  const GuardedRange* range = ranges.load();
  while (range != nullptr && range->end.load() == 0) range = range->next;
  return range != nullptr;
}

// Guards the bytes by reusing a range that was unguarded. Returns false if no
// such range fits. A job that is joined again has the same ranges each time, so
// the list stays short.
bool GuardAgain(uintptr_t begin, size_t bytes, const std::string& what) {
  for (GuardedRange* range = ranges.load(); range != nullptr;
       range = range->next) {
    uintptr_t ended = 0;
    if (range->begin == begin && range->what == what &&
        range->end.compare_exchange_strong(ended, begin + bytes)) {
      return true;
    }
  }
  return false;
}

void RemoveHandler() {
  struct sigaction action;
  sigaction(SIGBUS, nullptr, &action);
  if ((action.sa_flags & SA_SIGINFO) == 0) return;
  if (action.sa_sigaction == OnBusError) {
    sigaction(SIGBUS, &before_us, nullptr);
  }
}

void InstallHandler() {
  sigaction(SIGBUS, nullptr, &before_us);
  struct sigaction action = {};
  action.sa_sigaction = OnBusError;
  action.sa_mask = before_us.sa_mask;
  action.sa_flags =
      SA_SIGINFO | SA_ONSTACK |
      (before_us.sa_flags & (SA_NODEFER | static_cast<int>(SA_RESTART)));
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

absl::Status ReserveHostMemory(int fd, uint64_t offset, uint64_t bytes,
                               const std::string& what) {
  if (!FreeInFileSystem(fd).has_value()) return absl::OkStatus();
  const int failed = RetryOnEintr([&] {
    return fallocate(fd, /*mode=*/0, static_cast<off_t>(offset),
                     static_cast<off_t>(bytes));
  });
  if (failed == 0 || errno == EOPNOTSUPP || errno == ENOSYS) {
    return absl::OkStatus();
  }
  const std::string why = strerror(errno);
  return absl::ResourceExhaustedError(absl::StrCat(
      "no room for ", what, ": ", bytes, " bytes in ", DirectoryOf(fd),
      ", which has ", *FreeInFileSystem(fd), " (", why, "); ", kRemedy));
}

void GuardHostMemory(int fd, const void* base, size_t bytes,
                     const std::string& what) {
  if (bytes == 0 || !FreeInFileSystem(fd).has_value()) return;
  const bool is_first = !IsAnyGuarded();
  if (is_first) {
    snprintf(directory, sizeof directory, "%s", DirectoryOf(fd).c_str());
  }
  const auto begin = reinterpret_cast<uintptr_t>(base);
  if (!GuardAgain(begin, bytes, what)) {
    auto* const added =
        new GuardedRange{begin, begin + bytes, what, ranges.load()};
    // Publishes the range to Find.
    while (!ranges.compare_exchange_weak(added->next, added)) {
    }
  }
  if (is_first) InstallHandler();
}

void UnguardHostMemory(const void* base, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(base);
  bool was_guarded = false;
  for (GuardedRange* range = ranges.load(); range != nullptr;
       range = range->next) {
    if (range->begin < begin || range->begin - begin >= bytes) continue;
    was_guarded |= range->end.exchange(0) != 0;
  }
  if (was_guarded && !IsAnyGuarded()) RemoveHandler();
}

}  // namespace gasnet::job
