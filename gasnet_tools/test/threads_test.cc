// Tests atomics, locks and thread keys between threads and processes.
#include <gasnet_tools.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 20000;

GASNETT_THREADKEY_DEFINE(test_key);

void InThreads(const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(AtomicTest, UpdatesOfSeveralThreadsAllCount) {
  gasnett_atomic_t plain = gasnett_atomic_init(0);
  gasnett_atomic64_t wide = gasnett_atomic64_init(0);
  gasnett_strongatomic32_t swapped = gasnett_strongatomic32_init(0);
  InThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      gasnett_atomic_increment(&plain, 0);
      gasnett_atomic64_add(&wide, uint64_t{1} << 32, GASNETT_ATOMIC_REL);
      uint32_t seen;
      do {
        seen = gasnett_strongatomic32_read(&swapped, 0);
      } while (!gasnett_strongatomic32_compare_and_swap(
          &swapped, seen, seen + 1, GASNETT_ATOMIC_ACQ));
    }
  });
  EXPECT_EQ(gasnett_atomic_read(&plain, 0), kThreads * kRounds);
  EXPECT_EQ(gasnett_atomic64_read(&wide, 0),
            uint64_t{kThreads * kRounds} << 32);
  EXPECT_EQ(gasnett_strongatomic32_read(&swapped, 0), kThreads * kRounds);
}

TEST(AtomicTest, OneThreadSeesTheLastDecrement) {
  gasnett_atomic_t count = gasnett_atomic_init(kThreads * kRounds);
  gasnett_atomic_t last = gasnett_atomic_init(0);
  InThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      if (gasnett_atomic_decrement_and_test(&count, 0)) {
        gasnett_atomic_increment(&last, 0);
      }
    }
  });
  EXPECT_EQ(gasnett_atomic_read(&last, 0), 1u);
}

// Thread 0 publishes a value. The other threads read it without a data race.
TEST(AtomicTest, AcquireSeesWhatReleasePublished) {
  int payload = 0;
  gasnett_atomic_t ready = gasnett_atomic_init(0);
  InThreads([&](int self) {
    if (self == 0) {
      payload = 42;
      gasnett_atomic_set(&ready, 1, GASNETT_ATOMIC_REL);
      return;
    }
    while (gasnett_atomic_read(&ready, GASNETT_ATOMIC_ACQ) == 0) {
      gasnett_sched_yield();
    }
    EXPECT_EQ(payload, 42);
  });
}

TEST(AtomicTest, ExcludesStoresThatPassLoadsWithFullBarriers) {
  for (int round = 0; round < 1000; ++round) {
    gasnett_atomic_t flags[2] = {0, 0};
    gasnett_atomic_t seen[2] = {0, 0};
    InThreads([&](int self) {
      if (self >= 2) return;
      gasnett_atomic_set(&flags[self], 1, GASNETT_ATOMIC_MB_POST);
      seen[self] = gasnett_atomic_read(&flags[1 - self], 0);
    });
    ASSERT_TRUE(seen[0] == 1 || seen[1] == 1);
  }
}

TEST(AtomicTest, WorksBetweenProcessesThatShareTheMemory) {
  auto* shared = static_cast<gasnett_atomic64_t*>(
      mmap(nullptr, GASNETT_PAGESIZE, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(shared, MAP_FAILED);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  for (int i = 0; i < kRounds; ++i) gasnett_atomic64_increment(shared, 0);
  if (child == 0) _exit(0);
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(gasnett_atomic64_read(shared, 0), 2u * kRounds);
  munmap(shared, GASNETT_PAGESIZE);
}

TEST(MutexTest, ExcludesOtherThreads) {
  gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
  int64_t count = 0;
  InThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      gasnett_mutex_lock(&mutex);
      ++count;
      gasnett_mutex_unlock(&mutex);
    }
  });
  EXPECT_EQ(count, int64_t{kThreads} * kRounds);
}

// Runs a barrier of several rounds. In each round, all threads wait for the
// thread that arrives last.
TEST(CondTest, BroadcastWakesAllThatWait) {
  constexpr int kGenerations = 100;
  gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
  gasnett_cond_t cond = GASNETT_COND_INITIALIZER;
  int arrived = 0;
  int generation = 0;
  InThreads([&](int) {
    for (int i = 0; i < kGenerations; ++i) {
      gasnett_mutex_lock(&mutex);
      if (++arrived == kThreads) {
        arrived = 0;
        ++generation;
        gasnett_cond_broadcast(&cond);
      } else {
        while (generation == i) gasnett_cond_wait(&cond, &mutex);
      }
      gasnett_mutex_unlock(&mutex);
    }
  });
  EXPECT_EQ(generation, kGenerations);
}

TEST(RwlockTest, WritersExcludeAllOthers) {
  gasnett_rwlock_t rwlock = GASNETT_RWLOCK_INITIALIZER;
  int64_t first = 0;
  int64_t second = 0;
  InThreads([&](int self) {
    for (int i = 0; i < kRounds; ++i) {
      if (self % 2 == 0) {
        gasnett_rwlock_wrlock(&rwlock);
        ++first;
        ++second;
      } else {
        gasnett_rwlock_rdlock(&rwlock);
        EXPECT_EQ(first, second);
      }
      gasnett_rwlock_unlock(&rwlock);
    }
  });
  EXPECT_EQ(first, int64_t{kThreads / 2} * kRounds);
}

// Both threads must hold the read lock before either releases it.
TEST(RwlockTest, ReadersShare) {
  gasnett_rwlock_t rwlock = GASNETT_RWLOCK_INITIALIZER;
  gasnett_atomic_t inside = gasnett_atomic_init(0);
  InThreads([&](int) {
    gasnett_rwlock_rdlock(&rwlock);
    gasnett_atomic_increment(&inside, 0);
    while (gasnett_atomic_read(&inside, 0) < kThreads) gasnett_sched_yield();
    gasnett_rwlock_unlock(&rwlock);
  });
  EXPECT_EQ(gasnett_atomic_read(&inside, 0), static_cast<uint32_t>(kThreads));
}

TEST(ThreadkeyTest, EveryThreadHasItsOwn) {
  int mine;
  gasnett_threadkey_set(test_key, &mine);
  InThreads([](int) {
    int own;
    EXPECT_EQ(gasnett_threadkey_get(test_key), nullptr);
    gasnett_threadkey_set(test_key, &own);
    EXPECT_EQ(gasnett_threadkey_get_noinit(test_key), &own);
  });
  EXPECT_EQ(gasnett_threadkey_get(test_key), &mine);
  gasnett_threadkey_set(test_key, nullptr);
}

}  // namespace
