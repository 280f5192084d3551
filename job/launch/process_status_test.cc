#include "job/launch/process_status.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "base/syscall.h"
#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

// A child process that runs `body`.
class Child {
 public:
  explicit Child(const std::function<void()>& body) : pid_(fork()) {
    if (pid_ != 0) return;
    body();
    _exit(0);
  }
  ~Child() {
    kill(pid_, SIGKILL);
    RetryOnEintr([&] { return waitpid(pid_, nullptr, 0); });
  }

  pid_t pid() const { return pid_; }

 private:
  const pid_t pid_;
};

[[noreturn]] void WaitForEver() {
  for (;;) pause();
}

TEST(ProcessStatusTest, AProcessThatRunsIsNotEnding) {
  const Child child(WaitForEver);
  EXPECT_FALSE(IsEnding(child.pid()));
}

TEST(ProcessStatusTest, NorIsAZombie) {
  const Child child([] {});
  siginfo_t info;
  ASSERT_EQ(RetryOnEintr([&] {
              return waitid(P_PID, static_cast<id_t>(child.pid()), &info,
                            WEXITED | WNOWAIT);
            }),
            0);
  EXPECT_FALSE(IsEnding(child.pid()));
}

TEST(ProcessStatusTest, NorOneWhoseFirstThreadHasEnded) {
  const Child child([&] {
    pthread_t thread;
    pthread_create(
        &thread, nullptr, [](void*) -> void* { WaitForEver(); }, nullptr);
    // Ends the thread with the system call. pthread_exit would unwind the stack
    // by an exception, and the test framework would catch the exception.
    syscall(SYS_exit, 0);
  });
  // Waits until the first thread is a zombie. The other thread still runs.
  std::string state;
  while (state != "Z") {
    std::ifstream status("/proc/" + std::to_string(child.pid()) + "/status");
    while (status >> state && state != "State:") {
    }
    status >> state;
  }
  EXPECT_FALSE(IsEnding(child.pid()));
}

// Binds this process and its children to one processor, so that only one of
// them runs at a time.
void StayOnOneProcessor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
}

// Writing this large core takes longer than a time slice. The dumping process
// has a lower priority, so the test process runs before the dump is complete.
TEST(ProcessStatusTest, AProcessThatDumpsCoreIsEnding) {
  std::string pattern;
  std::ifstream("/proc/sys/kernel/core_pattern") >> pattern;
  if (pattern.empty() || pattern.find_first_of("|/@") == 0) {
    GTEST_SKIP() << "cores go elsewhere: core_pattern is '" << pattern << "'";
  }
  rlimit limit;
  getrlimit(RLIMIT_CORE, &limit);
  if (limit.rlim_max != RLIM_INFINITY) {
    GTEST_SKIP() << "this process may not raise its limit on cores";
  }
  StayOnOneProcessor();
  const Child child([] {
    constexpr size_t kBytes = 32 << 20;
    const rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_CORE, &all) != 0 || chdir(getenv("TEST_TMPDIR")) != 0)
      _exit(1);
    memset(malloc(kBytes), 1, kBytes);
    if (nice(19) == -1) _exit(1);
    abort();
  });
  bool was_ending = false;
  while (!PeekStatus(child.pid()).has_value()) {
    was_ending |= IsEnding(child.pid());
  }
  EXPECT_TRUE(was_ending);
  EXPECT_TRUE(WCOREDUMP(*PeekStatus(child.pid())));
}

}  // namespace
}  // namespace gasnet::job
