// Tests how ReadStatus() reads the state of a process with several threads from
// the kernel.
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/clock.h"
#include "gtest/gtest.h"
#include "job/status/kernel_state.h"
#include "job/status/rank_status.h"
#include "job/status/status_page.h"

namespace gasnet::job {
namespace {

// Returns the state of a process with two threads. The first thread sleeps. A
// thread with the name `running` runs.
char StateBeside(const char* running) {
  int ready[2];
  EXPECT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::thread([&] {
      prctl(PR_SET_NAME, running);
      static_cast<void>(!write(ready[1], "r", 1));
      for (volatile bool runs = true; runs;) continue;
    }).detach();
    for (;;) pause();
  }
  char byte;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  while (ReadKernelState(FolderOf(child))->letter != 'S') sched_yield();
  const char state =
      ReadStatus(/*status_file=*/-1, 0, child, NowNanos()).process;
  kill(child, SIGKILL);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  close(ready[0]);
  close(ready[1]);
  return state;
}

TEST(ProcessStateTest, AThreadOfTheClientThatRunsCountsButNotTheMonitor) {
  EXPECT_EQ(StateBeside("worker"), 'R');
  EXPECT_EQ(StateBeside(kMonitorName), 'S');
}

}  // namespace
}  // namespace gasnet::job
