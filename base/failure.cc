#include "base/failure.h"

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <new>

#include "base/clock.h"
#include "base/core_dump.h"
#include "base/env.h"
#include "base/log.h"
#include "base/syscall.h"
#include "base/tuning.h"

// gasnet_frozen has C linkage and a plain name because a person types it in a
// debugger. It is weak because a program may link two GASNet libraries that
// both define it.
extern "C" {
__attribute__((weak)) volatile int gasnet_frozen = 0;
}

namespace gasnet {
namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

bool freeze_on_error = false;
bool backtrace_on_error = false;
bool segment_in_core = false;
std::atomic<pid_t> failing_thread{0};
std::atomic<int (*)(int)> backtrace_printer{nullptr};
// The signal actions that GASNet's handlers replaced, indexed like
// kCrashSignals.
std::array<struct sigaction, std::size(kCrashSignals)> before_us;
CrashStack stack_of_starter;

void WriteNote(const char* text, const char* detail) {
  char who[320];
  FormatLogIdentity(who, sizeof who);
  char line[640];
  snprintf(line, sizeof line, "*** GASNet (%s): %s%s\n", who, text, detail);
  WriteFull(STDERR_FILENO, line, strlen(line));
}

// The first thread that calls this function reports the failure. Other threads
// wait forever. If the reporting thread calls again (Fatal, then the SIGABRT of
// Fatal), the function returns at once.
void ReportFailure() {
  const pid_t self = syscall(SYS_gettid);
  pid_t owner = 0;
  if (!failing_thread.compare_exchange_strong(owner, self)) {
    while (owner != self) pause();
    return;
  }
  if (backtrace_on_error) PrintBacktrace();
  if (freeze_on_error) FreezeForDebugger();
  if (segment_in_core) PutUsedIntoCore();
}

bool IsToReport() { return freeze_on_error || backtrace_on_error; }

// Returns true if this thread has already reported, as in the SIGABRT that
// Fatal raises.
bool AlreadyReported() { return failing_thread.load() == syscall(SYS_gettid); }

void OnCrash(int signal_number, siginfo_t* info, void*) {
  if (IsToReport() && !AlreadyReported()) {
    WriteNote("caught signal SIG", sigabbrev_np(signal_number));
  }
  ReportFailure();
  // A signal that was sent is raised again, and ends the process when the
  // handler returns. After a failed memory access the handler just returns. The
  // access then fails again, and the core dump has its address.
  signal(signal_number, SIG_DFL);
  const bool was_sent = info->si_code <= 0;
  if (was_sent) raise(signal_number);
}

struct sigaction ActionOf(int signal_number) {
  struct sigaction action;
  sigaction(signal_number, nullptr, &action);
  return action;
}

bool IsDefault(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

bool IsOurs(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == OnCrash;
}

bool WantsCore() {
  rlimit limit;
  return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur > 0;
}

void InstallCrashHandlers() {
  stack_of_starter.Begin();
  struct sigaction action = {};
  action.sa_sigaction = OnCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (size_t i = 0; i < before_us.size(); ++i) {
    before_us[i] = ActionOf(kCrashSignals[i]);
    if (IsToReport() || IsDefault(before_us[i])) {
      sigaction(kCrashSignals[i], &action, nullptr);
    }
  }
}

void RemoveCrashHandlers() {
  for (size_t i = 0; i < before_us.size(); ++i) {
    if (IsOurs(ActionOf(kCrashSignals[i]))) {
      sigaction(kCrashSignals[i], &before_us[i], nullptr);
    }
  }
  stack_of_starter.End();
}

// The first call of backtrace(3) loads libgcc_s. A signal handler must not load
// a library.
void WarmUpBacktrace() {
  void* frame;
  backtrace(&frame, 1);
}

}  // namespace

void InitFailureHandling() {
  freeze_on_error = EnvBool("GASNET_FREEZE_ON_ERROR", false);
  backtrace_on_error = EnvBool("GASNET_BACKTRACE", false);
  segment_in_core = EnvBool("GASNET_CORE_SEGMENT", WantsCore());
  SetFatalHook(ReportFailure);
  if (backtrace_on_error) WarmUpBacktrace();
  if (IsToReport() || segment_in_core) InstallCrashHandlers();
}

void EndFailureHandling() {
  RemoveCrashHandlers();
  SetFatalHook(nullptr);
  freeze_on_error = backtrace_on_error = segment_in_core = false;
}

void CrashStack::Begin() {
  stack_t now;
  if (!IsToReport() || sigaltstack(nullptr, &now) != 0 ||
      (now.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  if (memory_ == nullptr) {
    memory_ = new (std::nothrow) std::byte[kCrashStackBytes];
  }
  if (memory_ == nullptr) return;
  const stack_t stack = {
      .ss_sp = memory_, .ss_flags = 0, .ss_size = kCrashStackBytes};
  sigaltstack(&stack, nullptr);
}

void CrashStack::End() {
  stack_t now;
  if (memory_ == nullptr || sigaltstack(nullptr, &now) != 0 ||
      now.ss_sp != memory_) {
    return;
  }
  const stack_t none = {.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&none, nullptr);
}

void FreezeForDebugger() { FreezeForDebugger(gasnet_frozen, "gasnet_frozen"); }

void FreezeForDebugger(volatile int& flag, const char* name) {
  flag = 1;
  char command[256];
  snprintf(command, sizeof command, "set var %s = 0", name);
  WriteNote("frozen, attach a debugger; to go on: ", command);
  const timespec pause = ToTimespec(kFrozenPollNanos);
  while (flag != 0) nanosleep(&pause, nullptr);
}

void PrintBacktrace() {
  WriteNote("backtrace of the failing thread:", "");
  int (*const print)(int) = backtrace_printer.load(std::memory_order_acquire);
  if (print != nullptr && print(STDERR_FILENO) == 0) return;
  void* frames[kBacktraceCalls];
  const int count = backtrace(frames, kBacktraceCalls);
  backtrace_symbols_fd(frames, count, STDERR_FILENO);
}

void SetBacktracePrinter(int (*print)(int fd)) {
  backtrace_printer.store(print, std::memory_order_release);
}

}  // namespace gasnet
