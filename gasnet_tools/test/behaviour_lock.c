#include <gasnet_tools.h>
#include <stddef.h>

#include "gasnet_tools/test/check.h"

/* Initialisers must also work inside other initialisers. */
static struct {
  int before;
  gasnett_mutex_t mutex;
  gasnett_cond_t cond;
  gasnett_rwlock_t rwlock;
} locks[2] = {
    {1, GASNETT_MUTEX_INITIALIZER, GASNETT_COND_INITIALIZER,
     GASNETT_RWLOCK_INITIALIZER},
    {2, GASNETT_MUTEX_INITIALIZER, GASNETT_COND_INITIALIZER,
     GASNETT_RWLOCK_INITIALIZER},
};

GASNETT_THREADKEY_DECLARE(declared_key);
GASNETT_THREADKEY_DEFINE(declared_key);
GASNETT_THREADKEY_DEFINE(plain_key);

static void check_threadkeys(void) {
  static int target;
  CHECK(gasnett_threadkey_get(declared_key) == NULL);
  gasnett_threadkey_set(declared_key, &target);
  CHECK(gasnett_threadkey_get(declared_key) == &target);
  gasnett_threadkey_init(plain_key);
  gasnett_threadkey_init(plain_key);
  _gasneti_threadkey_init(&target);
  CHECK(gasnett_threadkey_get_noinit(plain_key) == NULL);
  gasnett_threadkey_set_noinit(plain_key, &target);
  CHECK(gasnett_threadkey_get_noinit(plain_key) == &target);
  gasnett_threadkey_set(plain_key, NULL);
  CHECK(gasnett_threadkey_get(plain_key) == NULL);
}

/* The expected result of trying to take a lock that is held. It is 0 in the
 * sequential form, since no other thread can hold a lock there. */
static const int if_held = GASNETT_MAX_THREADS > 1 ? EBUSY : 0;

static void check_made_mutex(void) {
  gasnett_mutex_t mutex;
  gasnett_cond_t cond;
  gasnett_mutex_init(&mutex);
  gasnett_cond_init(&cond);
  gasnett_mutex_assertunlocked(&mutex);
  CHECK(gasnett_mutex_trylock(&mutex) == 0);
  gasnett_mutex_assertlocked(&mutex);
  gasnett_cond_signal(&cond);
  gasnett_mutex_unlock(&mutex);
  gasnett_cond_destroy(&cond);
  gasnett_mutex_destroy(&mutex);
  gasnett_mutex_init(&mutex);
  CHECK(gasnett_mutex_destroy_ignoreerr(&mutex) == 0);
}

static void check_made_rwlock(void) {
  gasnett_rwlock_t rwlock;
  gasnett_rwlock_init(&rwlock);
  gasnett_rwlock_assertunlocked(&rwlock);
  CHECK(gasnett_rwlock_tryrdlock(&rwlock) == 0);
  CHECK(gasnett_rwlock_tryrdlock(&rwlock) == 0);
  gasnett_rwlock_assertrdlocked(&rwlock);
  gasnett_rwlock_assertlocked(&rwlock);
#ifndef GASNET_DEBUG
  CHECK(gasnett_rwlock_trywrlock(&rwlock) == if_held);
#endif
  (void)if_held;
  gasnett_rwlock_unlock(&rwlock);
  gasnett_rwlock_unlock(&rwlock);
  CHECK(gasnett_rwlock_trywrlock(&rwlock) == 0);
  gasnett_rwlock_assertwrlocked(&rwlock);
  gasnett_rwlock_assertlocked(&rwlock);
  gasnett_rwlock_unlock(&rwlock);
  gasnett_rwlock_destroy(&rwlock);
}

void check_locks(void) {
  int i;
  for (i = 0; i < 4; ++i) {
    gasnett_mutex_lock(&locks[i % 2].mutex);
    gasnett_cond_broadcast(&locks[i % 2].cond);
    gasnett_mutex_unlock(&locks[i % 2].mutex);
    gasnett_rwlock_rdlock(&locks[i % 2].rwlock);
    gasnett_rwlock_rdlock(&locks[i % 2].rwlock);
    gasnett_rwlock_unlock(&locks[i % 2].rwlock);
    gasnett_rwlock_unlock(&locks[i % 2].rwlock);
    gasnett_rwlock_wrlock(&locks[i % 2].rwlock);
    gasnett_rwlock_unlock(&locks[i % 2].rwlock);
  }
#if !GASNETT_THREAD_SAFE
  /* The wait returns at once, since no other thread could wake this one. */
  gasnett_mutex_lock(&locks[0].mutex);
  gasnett_cond_wait(&locks[0].cond, &locks[0].mutex);
  gasnett_mutex_unlock(&locks[0].mutex);
#endif
  check_threadkeys();
  check_made_mutex();
  check_made_rwlock();
}
