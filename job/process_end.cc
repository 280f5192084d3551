#include "job/process_end.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/forked.h"
#include "base/log.h"
#include "job/control_link.h"
#include "job/stay_loaded.h"
#include "job/stdio_flush.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

constexpr int kTerminationSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<pid_t> ending_thread{0};

std::atomic<void (*)()> exit_report{nullptr};
std::atomic<void (*)(bool)> before_return{nullptr};

enum class Claim { kMine, kAgain, kOfAnother };

Claim ClaimEnd() {
  // In a forked child the claim may be a copy of the parent process's claim.
  if (IsForkedChild()) return Claim::kMine;
  const pid_t self = syscall(SYS_gettid);
  pid_t owner = 0;
  if (ending_thread.compare_exchange_strong(owner, self)) return Claim::kMine;
  return owner == self ? Claim::kAgain : Claim::kOfAnother;
}

[[noreturn]] void AwaitEnd() {
  for (;;) pause();
}

// Returns true if another thread is ending this process.
bool IsEnding() {
  const pid_t owner = ending_thread.load();
  return owner != 0 && owner != syscall(SYS_gettid);
}

struct sigaction DispositionOf(int signal_number) {
  struct sigaction action;
  sigaction(signal_number, nullptr, &action);
  return action;
}

bool Is(void (*handler)(int), const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == handler;
}

bool IsDefault(const struct sigaction& action) { return Is(SIG_DFL, action); }
bool IsIgnored(const struct sigaction& action) { return Is(SIG_IGN, action); }

// True if SIGQUIT was ignored when the process started. A shell ignores SIGQUIT
// for commands that a script runs in the background, so this is not the
// client's choice.
bool quit_was_ignored_at_start = false;

[[gnu::constructor(101)]] void NoteInheritedSignals() {
  quit_was_ignored_at_start = IsIgnored(DispositionOf(SIGQUIT));
}

// Returns true if the client has chosen to handle or to ignore SIGQUIT.
bool ClientMinds(const struct sigaction& quit) {
  return !IsDefault(quit) && !(IsIgnored(quit) && quit_was_ignored_at_start);
}

// Handles a termination signal once. Raises SIGQUIT if the client handles it.
// If not, raises the same signal again, and its default action ends the
// process. SIGQUIT would not end the process if it is ignored.
void OnTermination(int signal_number) {
  const struct sigaction quit = DispositionOf(SIGQUIT);
  const bool is_handled = !IsDefault(quit) && !IsIgnored(quit);
  kill(getpid(), is_handled ? SIGQUIT : signal_number);
}

// Calls the function unless it is null. The load pairs with the stores in
// SetBeforeReturn and SetExitReport. SetExitReport needs the load to be
// sequentially consistent.
template <class... Arguments>
void Call(const std::atomic<void (*)(Arguments...)>& function,
          Arguments... arguments) {
  const auto set = function.load();
  if (set != nullptr && !IsForkedChild()) set(arguments...);
}

void OnReturn(int code, void*) {
  const NoCancellation whole;
  Call(before_return, code == 0);
  Call(exit_report);
}

// Handles quick_exit. The exit code is not known here, so a failure is assumed.
void OnQuickReturn() { OnReturn(EXIT_FAILURE, nullptr); }

// Registers OnReturn before all other handlers of the program, so that OnReturn
// is called last.
[[gnu::constructor(101)]] void RegisterOnReturn() {
  StayLoaded();
  on_exit(&OnReturn, nullptr);
  std::at_quick_exit(&OnQuickReturn);
}

// Blocks all signals except termination signals. Termination signals may
// interrupt the end of the process and cut it short.
void LetOnlyTerminationInterrupt() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (const int each : kTerminationSignals) sigdelset(&blocked, each);
  LeaveTerminationSignals();
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

void Sleep(int64_t nanos) {
  timespec left = ToTimespec(nanos);
  while (nanosleep(&left, &left) != 0) {
  }
}

}  // namespace

void EndByClient(ControlLink* link, int code) {
  LetOnlyTerminationInterrupt();
  const Claim claim = ClaimEnd();
  if (claim == Claim::kOfAnother) AwaitEnd();
  if (link != nullptr) link->SendExit(code);
  if (claim == Claim::kMine) {
    Call(exit_report);
    FlushStdioBeforeEnd(code);
  }
  _exit(code);
}

void EndByJob(int code, int64_t grace_nanos) {
  if (!ClientMinds(DispositionOf(SIGQUIT)) && ClaimEnd() == Claim::kMine) {
    Call(exit_report);
    FlushStdioBeforeEnd(code);
    _exit(code);
  }
  if (ending_thread.load() == 0) kill(getpid(), SIGQUIT);
  Sleep(grace_nanos);
  if (ClaimEnd() == Claim::kMine) {
    Warn("the job has ended, but this node has not within %.3g s: ending it",
         static_cast<double>(grace_nanos) / kNanosPerSecond);
    Call(exit_report);
    SetFlushLimit(kLateFlushNanos);
    FlushStdioBeforeEnd(code);
  }
  _exit(code);
}

void SetBeforeReturn(void (*finish)(bool patient)) {
  before_return.store(finish, std::memory_order_release);
}

// Sets the report. An ending thread sets ending_thread before it reads the
// report. So if this function does not see an ending thread, any thread that
// ends the process later sees the new report.
void SetExitReport(void (*report)()) {
  exit_report.store(report);
  if (report == nullptr && IsEnding()) AwaitEnd();
}

void TranslateTerminationSignals() {
  struct sigaction action = {};
  action.sa_handler = OnTermination;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int signal_number : kTerminationSignals) {
    if (IsDefault(DispositionOf(signal_number))) {
      sigaction(signal_number, &action, nullptr);
    }
  }
}

void LeaveTerminationSignals() {
  for (const int signal_number : kTerminationSignals) {
    if (Is(OnTermination, DispositionOf(signal_number))) {
      signal(signal_number, SIG_DFL);
    }
  }
}

}  // namespace gasnet::job
