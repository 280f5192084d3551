#include "job/launch/guardian.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "gtest/gtest.h"
#include "job/testing/pipe.h"

namespace gasnet::job {
namespace {

std::unique_ptr<Guardian> StartGuardian(uint32_t ranks) {
  auto guardian = Guardian::Start(ranks);
  EXPECT_TRUE(guardian.ok());
  return *std::move(guardian);
}

[[noreturn]] void WaitForEver() {
  for (;;) pause();
}

// Forks a process that runs `run` in a process group of its own. Puts the group
// into `slot`.
template <class Run>
pid_t ForkGroup(std::unique_ptr<Guardian>& guardian, uint32_t slot, Run run) {
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    guardian->slot(slot) = getpid();
    // A forked rank also destroys the guardian object.
    guardian.reset();
    run();
    WaitForEver();
  }
  return pid;
}

// Runs a launcher with a guardian and three ranks. The first entry of the table
// is empty. The second rank ignores SIGTERM. The last rank has a descendant
// that ignores SIGHUP. All processes hold their inherited descriptors.
[[noreturn]] void BeLauncher(const TestPipe& ready) {
  auto guardian = StartGuardian(4);
  ForkGroup(guardian, 1, [&] { ready.Say('r'); });
  ForkGroup(guardian, 2, [&] {
    signal(SIGTERM, SIG_IGN);
    ready.Say('r');
  });
  ForkGroup(guardian, 3, [&] {
    if (fork() != 0) return;
    signal(SIGHUP, SIG_IGN);
    ready.Say('r');
    WaitForEver();
  });
  WaitForEver();
}

TEST(GuardianTest, KillsEveryGroupWhenTheLauncherIsKilled) {
  TestPipe ready, alive;
  const pid_t launcher = fork();
  ASSERT_GE(launcher, 0);
  if (launcher == 0) BeLauncher(ready);
  alive.CloseWriter();
  for (int i = 0; i < 3; ++i) ASSERT_EQ(ready.Await(), 'r');
  ASSERT_EQ(kill(launcher, SIGKILL), 0);
  waitpid(launcher, nullptr, 0);
  EXPECT_TRUE(alive.HasEnded());
}

TEST(GuardianTest, LeavesTheGroupsAloneWhenItIsDismissed) {
  TestPipe orders, answers;
  auto guardian = StartGuardian(1);
  const pid_t rank = ForkGroup(guardian, 0, [&] {
    orders.CloseWriter();
    answers.Say('r');
    answers.Say(orders.Await());
  });
  answers.CloseWriter();
  ASSERT_EQ(answers.Await(), 'r');
  guardian->Dismiss();
  // Dismiss() has reaped the guardian, so the guardian does nothing any more.
  orders.Say('!');
  EXPECT_EQ(answers.Await(), '!');
  kill(rank, SIGKILL);
  EXPECT_EQ(waitpid(rank, nullptr, 0), rank);
}

TEST(GuardianTest, IsNoChildAnyMoreWhenItIsDismissed) {
  const auto guardian = StartGuardian(1);
  guardian->Dismiss();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(GuardianTest, HoldsNoDescriptorOfTheLauncher) {
  TestPipe pipe;
  const auto guardian = StartGuardian(1);
  pipe.CloseWriter();
  EXPECT_TRUE(pipe.HasEnded());
  guardian->Dismiss();
}

// A signal to all processes of the launcher's group or terminal must not end
// the guardian early.
TEST(GuardianTest, IsInASessionOfItsOwn) {
  TestPipe ready, alive;
  const pid_t launcher = fork();
  ASSERT_GE(launcher, 0);
  if (launcher == 0) {
    setpgid(0, 0);
    TestPipe held;
    auto guardian = StartGuardian(1);
    held.CloseWriter();
    // The guardian has now closed its inherited descriptors, and is in a
    // session of its own.
    if (!held.HasEnded()) _exit(EXIT_FAILURE);
    ForkGroup(guardian, 0, [&] { ready.Say('r'); });
    WaitForEver();
  }
  alive.CloseWriter();
  ASSERT_EQ(ready.Await(), 'r');
  ASSERT_EQ(kill(-launcher, SIGKILL), 0);
  waitpid(launcher, nullptr, 0);
  EXPECT_TRUE(alive.HasEnded());
}

}  // namespace
}  // namespace gasnet::job
