#include "base/forked.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

struct alignas(kWipeUnit) Page {
  int first;
  char rest[kWipeUnit];
  int last;
};
Page wiped;

int StatusOf(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Bits of a child's exit code.
enum Seen { kIsChild = 1, kFirstIsThere = 2, kLastIsThere = 4 };
int Look() {
  return (IsForkedChild() ? kIsChild : 0) |
         (wiped.first != 0 ? kFirstIsThere : 0) |
         (wiped.last != 0 ? kLastIsThere : 0);
}

class ForkedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    static const bool begun = [] {
      EXPECT_FALSE(IsForkedChild()) << "nobody watches yet";
      RequireNotForked("a call before the watch");
      BeginForkWatch();
      WipeInChildren(&wiped, sizeof wiped);
      return true;
    }();
    ASSERT_TRUE(begun);
    wiped.first = wiped.last = 1;
  }
};

TEST_F(ForkedTest, AChildOfForkKnowsAndSeesZeros) {
  EXPECT_EQ(Look(), kFirstIsThere | kLastIsThere);
  const pid_t child = fork();
  if (child == 0) _exit(Look());
  EXPECT_EQ(StatusOf(child), kIsChild);
  EXPECT_EQ(Look(), kFirstIsThere | kLastIsThere);
}

TEST_F(ForkedTest, SoDoesOneOfABareSystemCallAndItsChild) {
  const pid_t child = static_cast<pid_t>(
      syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (child == 0) {
    const pid_t grandchild = static_cast<pid_t>(
        syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (grandchild == 0) _exit(Look());
    _exit(StatusOf(grandchild));
  }
  EXPECT_EQ(StatusOf(child), kIsChild);
}

TEST_F(ForkedTest, AChildThatSharesItsParentsMemoryChangesNothing) {
  EXPECT_EQ(system("exit 7") >> 8, 7);
  FILE* const pipe = popen("echo said", "r");
  char line[16] = "";
  EXPECT_NE(fgets(line, sizeof line, pipe), nullptr);
  EXPECT_STREQ(line, "said\n");
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(Look(), kFirstIsThere | kLastIsThere);
}

TEST_F(ForkedTest, ACallInAChildIsFatalAndNamed) {
  RequireNotForked("gasnet_put");  // in the parent
  // A death test runs in a child.
  EXPECT_DEATH(RequireNotForked("gasnet_put"),
               "gasnet_put called in a process that was forked from a node");
}

TEST_F(ForkedTest, WithoutAWatchAChildIsAProcessLikeAnother) {
  EndForkWatch();
  pid_t child = fork();
  if (child == 0) {
    const int before = Look();
    BeginForkWatch();
    _exit(before | Look());
  }
  EXPECT_EQ(StatusOf(child), 0);
  BeginForkWatch();
  child = fork();
  if (child == 0) _exit(Look());
  EXPECT_EQ(StatusOf(child), kIsChild);
}

}  // namespace
}  // namespace gasnet
