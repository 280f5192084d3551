#include "portals/engine/shared_lock.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <thread>

#include "gtest/gtest.h"
#include "portals/testing/no_descriptors.h"

namespace gasnet::portals4 {
namespace {

SharedLock* NewLock() {
  void* const memory = mmap(nullptr, sizeof(SharedLock), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return new (memory) SharedLock();
}

// Forks a process that ends while it holds the lock.
void DieWith(SharedLock& lock) {
  const pid_t child = fork();
  if (child == 0) {
    IdentifyThisProcess();
    lock.Acquire(DeadHolder::kTakeOver);
    _exit(0);
  }
  ASSERT_EQ(child, waitpid(child, nullptr, 0));
}

TEST(SharedLockTest, IsTakenOverFromTheDead) {
  IdentifyThisProcess();
  SharedLock& lock = *NewLock();
  DieWith(lock);
  EXPECT_FALSE(lock.TryAcquire());
  if (!lock.Acquire(DeadHolder::kTakeOver)) FAIL() << "it is broken";
  lock.Release();
  EXPECT_TRUE(lock.TryAcquire());
}

TEST(SharedLockTest, IsBrokenByTheDead) {
  IdentifyThisProcess();
  SharedLock& lock = *NewLock();
  DieWith(lock);
  EXPECT_FALSE(lock.Acquire(DeadHolder::kBreak));
  EXPECT_TRUE(lock.IsBroken());
  EXPECT_FALSE(lock.Acquire(DeadHolder::kTakeOver));
  EXPECT_FALSE(lock.TakeOverFromDead());
}

TEST(SharedLockTest, IsNotTakenFromTheLiving) {
  IdentifyThisProcess();
  SharedLock& lock = *NewLock();
  ASSERT_TRUE(lock.TryAcquire());
  EXPECT_FALSE(lock.TakeOverFromDead());
}

TEST(SharedLockTest, ExcludesThreads) {
  IdentifyThisProcess();
  SharedLock& lock = *NewLock();
  constexpr int kTimes = 20000;
  int count = 0;
  const auto add = [&] {
    for (int i = 0; i < kTimes; ++i) {
      const Holding holding(lock);
      ++count;
    }
  };
  std::thread other(add);
  add();
  other.join();
  EXPECT_EQ(2 * kTimes, count);
}

TEST(ProcessTest, KnowsTheLivingFromTheDead) {
  IdentifyThisProcess();
  EXPECT_EQ(getpid(), PidOf(ThisProcess()));
  EXPECT_TRUE(IsAlive(ThisProcess()));
  // This word has the number of this process but another start time.
  EXPECT_FALSE(IsAlive(ThisProcess() ^ (uint64_t{1} << 40)));
  EXPECT_FALSE(IsAlive(0));
}

TEST(ProcessTest, KnowsThemWithoutADescriptor) {
  IdentifyThisProcess();
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  const ProcessWord process = IdentifyProcess(child);
  const NoDescriptors none;
  EXPECT_TRUE(IsAlive(process));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(IsAlive(process));
}

}  // namespace
}  // namespace gasnet::portals4
