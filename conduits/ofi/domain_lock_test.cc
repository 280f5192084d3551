#include "conduits/ofi/domain_lock.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"

namespace gasnet::ofi {
namespace {

// Wrappers that hide the lock from thread safety analysis. The analysis does
// not understand that EXPECT_TRUE(TryLock(lock)) checks whether the lock is
// held.
bool TryLock(DomainLock& lock) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  return lock.try_lock();
}

bool TryLockAnyway(DomainLock& lock) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  return lock.TryLockAnyway();
}

void Unlock(DomainLock& lock) ABSL_NO_THREAD_SAFETY_ANALYSIS { lock.unlock(); }

TEST(DomainLockTest, IsFreeOrNot) {
  DomainLock lock;
  EXPECT_TRUE(TryLock(lock));
  EXPECT_FALSE(TryLock(lock));
  EXPECT_FALSE(TryLockAnyway(lock));
  EXPECT_FALSE(lock.IsWaitedFor());
  Unlock(lock);
  EXPECT_TRUE(TryLockAnyway(lock));
  Unlock(lock);
}

// A polling thread gets the lock only after a waiting sender, even if the
// thread polls all the time.
TEST(DomainLockTest, ASenderGoesBeforePollers) {
  for (int round = 0; round < 100; ++round) {
    DomainLock lock;
    bool sent = false;
    lock.lock();
    std::thread sender([&] {
      lock.lock();
      sent = true;
      lock.unlock();
    });
    while (!lock.IsWaitedFor()) sched_yield();
    lock.unlock();
    while (!lock.try_lock()) sched_yield();
    EXPECT_TRUE(sent);
    lock.unlock();
    sender.join();
    ASSERT_FALSE(HasFailure());
  }
}

TEST(DomainLockTest, TheEndGoesBeforeWhoWaits) {
  DomainLock lock;
  lock.lock();
  std::atomic<bool> over{false};
  std::thread sender([&] {
    lock.lock();
    EXPECT_TRUE(over);
    lock.unlock();
  });
  while (!lock.IsWaitedFor()) sched_yield();
  // The lock cannot be taken twice, even at the end of a process, when a signal
  // handler may have interrupted the thread that holds it.
  EXPECT_FALSE(lock.TryLockAnyway());
  over = true;
  lock.unlock();
  sender.join();
  EXPECT_FALSE(lock.IsWaitedFor());
}

TEST(DomainLockTest, ExcludesAllOthers) {
  DomainLock lock;
  int count = 0;
  constexpr int kEach = 2000;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, polls = i % 2 == 0] {
      for (int done = 0; done < kEach;) {
        if (polls) {
          if (!lock.try_lock()) {
            sched_yield();
            continue;
          }
        } else {
          lock.lock();
        }
        ++count;
        ++done;
        lock.unlock();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 4 * kEach);
}

int CancelState() {
  int state;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_setcancelstate(state, nullptr);
  return state;
}

TEST(DomainLockTest, ItsHolderIsNotCancelled) {
  DomainLock lock;
  lock.lock();
  EXPECT_EQ(CancelState(), PTHREAD_CANCEL_DISABLE);
  lock.unlock();
  EXPECT_EQ(CancelState(), PTHREAD_CANCEL_ENABLE);
  ASSERT_TRUE(TryLock(lock));
  EXPECT_EQ(CancelState(), PTHREAD_CANCEL_DISABLE);
  EXPECT_FALSE(TryLockAnyway(lock));
  Unlock(lock);
  EXPECT_EQ(CancelState(), PTHREAD_CANCEL_ENABLE);
}

TEST(DomainLockTest, AClientThatForbidsItFindsItForbidden) {
  DomainLock lock;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  lock.lock();
  lock.unlock();
  EXPECT_EQ(CancelState(), PTHREAD_CANCEL_DISABLE);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
}

}  // namespace
}  // namespace gasnet::ofi
