#include "core/job/process_end.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "base/clock.h"
#include "core/job/control_link.h"
#include "core/job/stdio_flush.h"

namespace gasnet::job {
namespace {

constexpr int kTerminationSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<pid_t> ending_thread{0};

std::atomic<void (*)()> last_words{nullptr};

enum class Claim { kMine, kAgain, kOfAnother };

Claim ClaimEnd() {
  const pid_t self = syscall(SYS_gettid);
  pid_t owner = 0;
  if (ending_thread.compare_exchange_strong(owner, self)) return Claim::kMine;
  return owner == self ? Claim::kAgain : Claim::kOfAnother;
}

[[noreturn]] void AwaitEnd() {
  for (;;) pause();
}

struct sigaction DispositionOf(int signal_number) {
  struct sigaction action;
  sigaction(signal_number, nullptr, &action);
  return action;
}

bool IsDefault(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

void OnTermination(int signal_number) {
  const int forwarded =
      IsDefault(DispositionOf(SIGQUIT)) ? signal_number : SIGQUIT;
  kill(getpid(), forwarded);
}

void SpeakAndFlush(int code) {
  // Pairs with SetLastWords: it reads what was made before.
  if (void (*speak)() = last_words.load(std::memory_order_acquire)) speak();
  FlushStdioBeforeEnd(code);
}

// The end is under way: what asks for it once more may interrupt it for good,
// everything else may not interrupt it.
void LetOnlyTerminationInterrupt() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (const int signal_number : kTerminationSignals) {
    sigdelset(&blocked, signal_number);
    if (DispositionOf(signal_number).sa_handler == OnTermination) {
      signal(signal_number, SIG_DFL);
    }
  }
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
  if (claim == Claim::kMine) SpeakAndFlush(code);
  _exit(code);
}

void EndByJob(int code, int64_t grace_nanos) {
  if (IsDefault(DispositionOf(SIGQUIT)) && ClaimEnd() == Claim::kMine) {
    SpeakAndFlush(code);
    _exit(code);
  }
  if (ending_thread.load() == 0) kill(getpid(), SIGQUIT);
  Sleep(grace_nanos);
  _exit(code);
}

void SetLastWords(void (*speak)()) {
  last_words.store(speak, std::memory_order_release);
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

}  // namespace gasnet::job
