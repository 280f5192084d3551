#include "job/launch/launcher_signals.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

// Runs `work` in a child. Returns the wait status of the child's first state
// change.
template <class Work>
int StatusOf(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, WUNTRACED), child);
  if (WIFSTOPPED(status)) {
    kill(child, SIGKILL);
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
  }
  return status;
}

TEST(StopProcessTest, Stops) {
  const int status = StatusOf([] {
    LauncherSignals().StopProcess();
    return 0;
  });
  ASSERT_TRUE(WIFSTOPPED(status));
  EXPECT_EQ(WSTOPSIG(status), SIGSTOP);
}

TEST(StopProcessTest, KeepsASigcontThatCameFirst) {
  const int status = StatusOf([] {
    LauncherSignals signals;
    raise(SIGCONT);
    signals.StopProcess();
    return signals.Next() == std::optional(SIGCONT) ? 7 : 0;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(StopProcessTest, StopsAfterASigcontThatWasTaken) {
  const int status = StatusOf([] {
    LauncherSignals signals;
    raise(SIGCONT);
    if (signals.Next() != std::optional(SIGCONT)) return 1;
    signals.StopProcess();
    return 0;
  });
  EXPECT_TRUE(WIFSTOPPED(status));
}

}  // namespace
}  // namespace gasnet::job
