// Misuse that debug builds detect.
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

// Volatile: the compiler must neither see nor judge what the tests do.
volatile size_t outside = 8;

TEST(DebugMallocDeathTest, WritesOutsideOfABlockAreFound) {
  auto* block = static_cast<volatile char*>(gasnett_debug_malloc(8));
  void* plain = const_cast<char*>(block);
  const char last = block[outside];
  block[outside] = 0;
  EXPECT_DEATH(gasnett_debug_memcheck(plain), "written to behind its end");
  EXPECT_DEATH(gasnett_debug_memcheck_all(),
               "gasnett_debug_memcheck_all: block .* of 8 bytes");
  EXPECT_DEATH(gasnett_debug_free(plain), "gasnett_debug_free: block");
  block[outside] = last;
  gasnett_debug_free(plain);
}

TEST(DebugMallocDeathTest, APointerOfAnotherHeapIsFound) {
  static volatile char elsewhere[128];
  void* plain = const_cast<char*>(elsewhere) + 64;
  EXPECT_DEATH(gasnett_debug_free(plain), "is no block of this heap");
}

}  // namespace
