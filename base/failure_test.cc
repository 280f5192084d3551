#include "base/failure.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/env.h"
#include "base/log.h"
#include "gtest/gtest.h"

extern "C" volatile int gasnet_frozen;

namespace gasnet {
namespace {

using ::testing::KilledBySignal;

void Start(const char* setting, rlim_t most_core = 0) {
  const rlimit limit = {most_core, RLIM_INFINITY};
  setrlimit(RLIMIT_CORE, &limit);
  SetEnvironment({setting});
  SetLogIdentity(1, 2);
  InitFailureHandling();
}

[[noreturn]] void Crash(const char* setting, int signal_number) {
  Start(setting);
  raise(signal_number);
  _exit(0);
}

TEST(FailureTest, NoHandlersUnlessAsked) {
  const auto look = [] {
    Start("GASNET_BACKTRACE=0");
    struct sigaction action;
    sigaction(SIGILL, nullptr, &action);
    _exit(action.sa_handler == SIG_DFL ? 0 : 1);
  };
  EXPECT_EXIT(look(), ::testing::ExitedWithCode(0), "");
}

bool IsDefault(int signal_number) {
  struct sigaction action;
  sigaction(signal_number, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}

TEST(FailureTest, WhereCoresAreWantedCrashesAreHandledInSilence) {
  const auto crash = [](int signal_number) {
    if (chdir(getenv("TEST_TMPDIR")) != 0) _exit(1);
    Start("GASNET_BACKTRACE=0", /*most_core=*/1);
    if (IsDefault(signal_number)) _exit(1);
    raise(signal_number);
    _exit(0);
  };
  EXPECT_EXIT(crash(SIGABRT), KilledBySignal(SIGABRT), "^$");
  EXPECT_EXIT(crash(SIGILL), KilledBySignal(SIGILL), "^$");
}

TEST(FailureTest, NoHandlerOfAnybodyElseIsReplacedForTheCore) {
  const auto look = [] {
    signal(SIGILL, [](int) { _exit(0); });
    Start("GASNET_BACKTRACE=0", /*most_core=*/1);
    raise(SIGILL);
    _exit(1);
  };
  EXPECT_EXIT(look(), ::testing::ExitedWithCode(0), "");
}

TEST(FailureTest, NoHandlersWhereTheCoreIsToHaveNoSegment) {
  const auto look = [] {
    Start("GASNET_CORE_SEGMENT=0", /*most_core=*/1);
    _exit(IsDefault(SIGILL) ? 0 : 1);
  };
  EXPECT_EXIT(look(), ::testing::ExitedWithCode(0), "");
}

TEST(FailureTest, CrashPrintsBacktraceAndKeepsItsSignal) {
  for (const int signal_number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    EXPECT_EXIT(Crash("GASNET_BACKTRACE=1", signal_number),
                KilledBySignal(signal_number),
                "rank 1, .*caught signal SIG.*\n.*backtrace of the failing "
                "thread:\n.*\\[0x");
  }
}

TEST(FailureTest, FatalPrintsBacktraceOnce) {
  const auto fail = [] {
    Start("GASNET_BACKTRACE=1");
    Fatal("broken");
  };
  EXPECT_EXIT(fail(), KilledBySignal(SIGABRT),
              "broken\n[^\n]*backtrace[^\n]*\n([^*]|\n)*$");
}

// The frozen process prints how to continue it. A signal handler acts as the
// debugger.
TEST(FailureTest, FreezesUntilReleased) {
  int errors[2];
  ASSERT_EQ(pipe(errors), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(errors[1], STDERR_FILENO);
    close(errors[1]);
    signal(SIGUSR1, [](int) { gasnet_frozen = 0; });
    Start("GASNET_FREEZE_ON_ERROR=yes");
    Fatal("broken");
  }
  close(errors[1]);
  std::string text;
  char byte;
  while (text.find("attach") == std::string::npos &&
         read(errors[0], &byte, 1) == 1) {
    text += byte;
  }
  EXPECT_NE(text.find("broken\n"), std::string::npos) << text;
  EXPECT_EQ(waitpid(child, nullptr, WNOHANG), 0);
  kill(child, SIGUSR1);
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
  close(errors[0]);
}

TEST(FailureTest, TheEndLeavesTheHandlersOfBefore) {
  const auto look = [] {
    // Sanitizers have their own handlers and stack.
    const auto handler_of = [](int signal_number) {
      struct sigaction action;
      sigaction(signal_number, nullptr, &action);
      return action.sa_handler;
    };
    void (*const handler)(int) = [](int) {};
    signal(SIGFPE, handler);
    void (*const of_crash)(int) = handler_of(SIGSEGV);
    stack_t stack_before, stack;
    sigaltstack(nullptr, &stack_before);
    Start("GASNET_BACKTRACE=1");
    if (handler_of(SIGSEGV) == of_crash || handler_of(SIGFPE) == handler) {
      _exit(1);
    }
    // A handler that the client sets after InitFailureHandling stays.
    signal(SIGBUS, handler);
    EndFailureHandling();
    sigaltstack(nullptr, &stack);
    const bool right =
        handler_of(SIGSEGV) == of_crash && handler_of(SIGFPE) == handler &&
        handler_of(SIGBUS) == handler &&
        (stack.ss_flags & SS_DISABLE) == (stack_before.ss_flags & SS_DISABLE);
    _exit(right ? 0 : 2);
  };
  EXPECT_EXIT(look(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gasnet
