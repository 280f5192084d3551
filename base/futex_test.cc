#include "base/futex.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <new>
#include <thread>

#include "base/clock.h"
#include "gtest/gtest.h"

namespace gasnet {
namespace {

void AwaitValue(std::atomic<uint32_t>& word, uint32_t wanted) {
  for (uint32_t seen = word; seen != wanted; seen = word) FutexWait(word, seen);
}

TEST(FutexTest, ReturnsAtOnceWhenTheWordDiffers) {
  std::atomic<uint32_t> word{1};
  FutexWait(word, 0);
}

TEST(FutexTest, TimesOut) {
  std::atomic<uint32_t> word{0};
  const int64_t start = NowNanos();
  FutexWait(word, 0, kNanosPerMilli);
  EXPECT_GE(NowNanos() - start, 0);
}

TEST(FutexTest, WakesThreads) {
  std::atomic<uint32_t> word{0};
  std::thread first([&] { AwaitValue(word, 1); });
  std::thread second([&] { AwaitValue(word, 1); });
  word = 1;
  FutexWake(word, INT_MAX);
  first.join();
  second.join();
}

TEST(FutexTest, WakesAnotherProcess) {
  void* shared =
      mmap(nullptr, sizeof(std::atomic<uint32_t>), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& word = *new (shared) std::atomic<uint32_t>(0);
  const pid_t child = fork();
  if (child == 0) {
    AwaitValue(word, 1);
    word = 2;
    FutexWake(word, 1);
    _exit(0);
  }
  word = 1;
  FutexWake(word, 1);
  AwaitValue(word, 2);
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  munmap(shared, sizeof word);
}

}  // namespace
}  // namespace gasnet
