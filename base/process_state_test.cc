#include "base/process_state.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

namespace gasnet {
namespace {

volatile sig_atomic_t handled_by_foreign = 0;
volatile sig_atomic_t handled = 0;

void Foreign(int) { handled_by_foreign = handled_by_foreign + 1; }
void Own(int) { handled = handled + 1; }

TEST(ProcessStateTest, HandlersAreAsBefore) {
  signal(SIGSEGV, SIG_DFL);
  {
    const ProcessStateKept kept;
    signal(SIGSEGV, &Foreign);
    signal(SIGTERM, &Foreign);
  }
  EXPECT_EQ(signal(SIGSEGV, SIG_DFL), SIG_DFL);
  EXPECT_EQ(signal(SIGTERM, SIG_DFL), SIG_DFL);
}

TEST(ProcessStateTest, ASignalThatComesMeanwhileMeetsWhatWasSetBefore) {
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1}) {
    handled = 0;
    signal(number, &Own);
    {
      const ProcessStateKept kept;
      signal(number, &Foreign);
      kill(getpid(), number);
      EXPECT_EQ(handled, 0);
    }
    EXPECT_EQ(handled, 1);
    signal(number, SIG_DFL);
  }
  EXPECT_EQ(handled_by_foreign, 0);
}

TEST(ProcessStateTest, SignalsAreBlockedAsBefore) {
  sigset_t before;
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  { const ProcessStateKept kept; }
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1}) {
    EXPECT_EQ(sigismember(&before, number), sigismember(&after, number));
  }
}

TEST(ProcessStateTest, ProcessorsAreAsBefore) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  cpu_set_t first;
  CPU_ZERO(&first);
  for (int cpu = 0; CPU_COUNT(&first) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &first);
  }
  {
    const ProcessStateKept kept;
    ASSERT_EQ(sched_setaffinity(0, sizeof first, &first), 0);
  }
  cpu_set_t now;
  ASSERT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&now, &all));
}

}  // namespace
}  // namespace gasnet
