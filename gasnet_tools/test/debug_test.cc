// Tests misuse that debug builds detect.
#include <gasnet_tools.h>

#include "gtest/gtest.h"

namespace {

TEST(LockDeathTest, LockingAMutexTwiceIsDetected) {
  gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
  gasnett_mutex_lock(&mutex);
  EXPECT_DEATH(gasnett_mutex_lock(&mutex),
               "gasnett_mutex_lock: lock .* is held by the calling thread");
  gasnett_mutex_unlock(&mutex);
}

TEST(LockDeathTest, UnlockingAFreeMutexIsDetected) {
  gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
  EXPECT_DEATH(gasnett_mutex_unlock(&mutex),
               "gasnett_mutex_unlock: lock .* is not held");
}

TEST(LockDeathTest, WaitingWithoutTheMutexIsDetected) {
  gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
  gasnett_cond_t cond = GASNETT_COND_INITIALIZER;
  EXPECT_DEATH(gasnett_cond_wait(&cond, &mutex),
               "gasnett_cond_wait: lock .* is not held");
}

TEST(LockDeathTest, MisuseOfAReaderWriterLockIsDetected) {
  gasnett_rwlock_t rwlock = GASNETT_RWLOCK_INITIALIZER;
  EXPECT_DEATH(gasnett_rwlock_unlock(&rwlock), "lock .* is not held");
  gasnett_rwlock_wrlock(&rwlock);
  EXPECT_DEATH(gasnett_rwlock_rdlock(&rwlock),
               "gasnett_rwlock_rdlock: lock .* is held by the calling thread");
  EXPECT_DEATH(gasnett_rwlock_wrlock(&rwlock),
               "gasnett_rwlock_wrlock: lock .* is held by the calling thread");
  gasnett_rwlock_unlock(&rwlock);
}

TEST(LockDeathTest, AssertionsLookAtTheHolder) {
  gasnett_mutex_t mutex;
  gasnett_rwlock_t rwlock;
  gasnett_mutex_init(&mutex);
  gasnett_rwlock_init(&rwlock);
  EXPECT_DEATH(gasnett_mutex_assertlocked(&mutex), "assertlocked: .* not held");
  EXPECT_DEATH(gasnett_rwlock_assertrdlocked(&rwlock), "read by no thread");
  EXPECT_DEATH(gasnett_rwlock_assertwrlocked(&rwlock), "is not held");
  EXPECT_DEATH(gasnett_rwlock_assertlocked(&rwlock), "is not held");
  EXPECT_EQ(gasnett_mutex_trylock(&mutex), 0);
  EXPECT_EQ(gasnett_rwlock_trywrlock(&rwlock), 0);
  EXPECT_DEATH(gasnett_mutex_trylock(&mutex), "by the calling thread already");
  EXPECT_DEATH(gasnett_rwlock_tryrdlock(&rwlock), "by the calling thread");
  EXPECT_DEATH(gasnett_mutex_assertunlocked(&mutex), "by the calling thread");
  EXPECT_DEATH(gasnett_rwlock_assertunlocked(&rwlock), "by the calling thread");
  EXPECT_DEATH(gasnett_mutex_destroy(&mutex), "destroy: .* held by a thread");
  EXPECT_DEATH(gasnett_rwlock_destroy(&rwlock), "destroy: .* held by a thread");
}

TEST(AssumeDeathTest, WhatDoesNotHoldIsFound) {
  EXPECT_DEATH(gasnett_assume(gasnett_cpu_count() == 0),
               "gasnett_assume: not so: gasnett_cpu_count\\(\\) == 0");
}

// Volatile, so that the compiler does not detect the misuse and warn about it.
volatile size_t outside = 8;

TEST(DebugMallocDeathTest, WritesOutsideOfABlockAreFound) {
  auto* block = static_cast<volatile char*>(gasnett_debug_malloc(8));
  void* plain = const_cast<char*>(block);
  const char last = block[outside];
  block[outside] = 0;
  EXPECT_DEATH(gasnett_debug_memcheck(plain), "overwritten past its end");
  EXPECT_DEATH(gasnett_debug_memcheck_all(),
               "gasnett_debug_memcheck_all: block .* of 8 bytes");
  EXPECT_DEATH(gasnett_debug_free(plain), "gasnett_debug_free: block");
  block[outside] = last;
  gasnett_debug_free(plain);
}

TEST(DebugMallocDeathTest, APointerOfAnotherHeapIsFound) {
  static volatile char elsewhere[128];
  void* plain = const_cast<char*>(elsewhere) + 64;
  EXPECT_DEATH(gasnett_debug_free(plain), "is not a block of this heap");
}

}  // namespace
