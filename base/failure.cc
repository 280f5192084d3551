#include "base/failure.h"

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/env.h"
#include "base/log.h"
#include "base/syscall.h"
#include "base/tuning.h"

// With C linkage and a plain name: it is typed by hand in a debugger. Weak: a
// program may link two of our libraries, both of which contain this.
extern "C" {
__attribute__((weak)) volatile int gasnet_frozen = 0;
}

namespace gasnet {
namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

bool freeze_on_error = false;
bool backtrace_on_error = false;
std::atomic<pid_t> failing_thread{0};
std::atomic<int (*)(int)> backtrace_printer{nullptr};

void WriteNote(const char* text, const char* detail) {
  char who[320];
  FormatLogIdentity(who, sizeof who);
  char line[640];
  snprintf(line, sizeof line, "*** GASNet (%s): %s%s\n", who, text, detail);
  WriteFull(STDERR_FILENO, line, strlen(line));
}

// One thread reports. It may come here twice (Fatal, then its SIGABRT) and
// passes at once the second time.
void ReportFailure() {
  const pid_t self = syscall(SYS_gettid);
  pid_t owner = 0;
  if (!failing_thread.compare_exchange_strong(owner, self)) {
    while (owner != self) pause();
    return;
  }
  if (backtrace_on_error) PrintBacktrace();
  if (freeze_on_error) FreezeForDebugger();
}

// SIGABRT of a Fatal that already spoke needs no second message.
bool AlreadyReported() { return failing_thread.load() == syscall(SYS_gettid); }

void OnCrash(int signal_number, siginfo_t*, void*) {
  if (!AlreadyReported()) {
    WriteNote("caught signal SIG", sigabbrev_np(signal_number));
  }
  ReportFailure();
  // Blocked until we return, then fatal.
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void UseAlternateStack() {
  static char memory[64 << 10];
  const stack_t stack = {
      .ss_sp = memory, .ss_flags = 0, .ss_size = sizeof memory};
  sigaltstack(&stack, nullptr);
}

void InstallCrashHandlers() {
  UseAlternateStack();
  struct sigaction action = {};
  action.sa_sigaction = OnCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal_number : kCrashSignals) {
    sigaction(signal_number, &action, nullptr);
  }
}

// backtrace(3) loads libgcc_s the first time, which no signal handler may do.
void WarmUpBacktrace() {
  void* frame;
  backtrace(&frame, 1);
}

}  // namespace

void InitFailureHandling() {
  freeze_on_error = EnvBool("GASNET_FREEZE_ON_ERROR", false);
  backtrace_on_error = EnvBool("GASNET_BACKTRACE", false);
  SetFatalHook(ReportFailure);
  if (backtrace_on_error) WarmUpBacktrace();
  if (freeze_on_error || backtrace_on_error) InstallCrashHandlers();
}

void FreezeForDebugger() {
  gasnet_frozen = 1;
  WriteNote("frozen, attach a debugger; to go on: ",
            "set var gasnet_frozen = 0");
  const timespec pause = ToTimespec(kFrozenPollNanos);
  while (gasnet_frozen != 0) nanosleep(&pause, nullptr);
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
