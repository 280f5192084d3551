/* Further calls on the locks of gasnet_tools/lock.h: initialising them at run
 * time, trying to take them, and asserting that a thread holds them.
 *
 * An initialised lock is free. It is misuse to destroy a lock that a thread
 * holds or waits for. A failed try changes nothing. A failed assertion ends the
 * process in debug builds; other builds do not check it.
 */
#ifndef GASNET_TOOLS_LOCK_CALLS_H_
#define GASNET_TOOLS_LOCK_CALLS_H_

#include "gasnet_tools/lock.h"

GASNETT_BEGIN_EXTERNC

/* Initialise a lock to all zero, like its static initialiser. */
GASNETT_INLINE(gasnett_mutex_init)
void gasnett_mutex_init(gasnett_mutex_t *mutex) {
  const gasnett_mutex_t fresh = GASNETT_MUTEX_INITIALIZER;
  *mutex = fresh;
}
GASNETT_INLINE(gasnett_cond_init)
void gasnett_cond_init(gasnett_cond_t *cond) {
  const gasnett_cond_t fresh = GASNETT_COND_INITIALIZER;
  *cond = fresh;
}
GASNETT_INLINE(gasnett_rwlock_init)
void gasnett_rwlock_init(gasnett_rwlock_t *rwlock) {
  const gasnett_rwlock_t fresh = GASNETT_RWLOCK_INITIALIZER;
  *rwlock = fresh;
}

/* Destroys the mutex. Returns 0, or an errno if the mutex is in use. */
GASNETT_INLINE(gasnett_mutex_destroy_ignoreerr)
int gasnett_mutex_destroy_ignoreerr(gasnett_mutex_t *mutex) {
  (void)mutex;
#if GASNETTI_LOCKS
  return pthread_mutex_destroy(&mutex->lock);
#else
  return 0;
#endif
}
GASNETT_INLINE(gasnett_mutex_destroy)
void gasnett_mutex_destroy(gasnett_mutex_t *mutex) {
  GASNETTI_CHECKED(
      gasnetti_require_free(&mutex->holder, "gasnett_mutex_destroy"));
  (void)gasnett_mutex_destroy_ignoreerr(mutex);
}
GASNETT_INLINE(gasnett_cond_destroy)
void gasnett_cond_destroy(gasnett_cond_t *cond) {
  (void)cond;
  GASNETTI_THREADED(pthread_cond_destroy(&cond->condition));
}
GASNETT_INLINE(gasnett_rwlock_destroy)
void gasnett_rwlock_destroy(gasnett_rwlock_t *rwlock) {
  (void)rwlock;
  GASNETTI_CHECKED(
      gasnetti_require_free(&rwlock->holder, "gasnett_rwlock_destroy"));
}

/* Wakes at least one thread that waits on `cond`. The caller must hold the
   mutex with which the threads wait. */
GASNETT_INLINE(gasnett_cond_signal)
void gasnett_cond_signal(gasnett_cond_t *cond) {
  (void)cond;
  GASNETTI_THREADED(pthread_cond_signal(&cond->condition));
}

/* Take the lock if that is possible without waiting. Return 0, else EBUSY or
 * another errno. */
GASNETT_INLINE(gasnett_mutex_trylock)
int gasnett_mutex_trylock(gasnett_mutex_t *mutex) {
  int error = 0;
  (void)mutex;
  GASNETTI_CHECKED(
      gasnetti_check_taking(&mutex->holder, "gasnett_mutex_trylock"));
#if GASNETTI_LOCKS
  error = pthread_mutex_trylock(&mutex->lock);
  if (error != 0) return error;
#endif
  GASNETTI_CHECKED(gasnetti_note_taken(&mutex->holder));
  return error;
}
GASNETT_INLINE(gasnett_rwlock_tryrdlock)
int gasnett_rwlock_tryrdlock(gasnett_rwlock_t *rwlock) {
  int error = 0;
  (void)rwlock;
  GASNETTI_CHECKED(
      gasnetti_check_taking(&rwlock->holder, "gasnett_rwlock_tryrdlock"));
#if GASNETTI_LOCKS
  error = gasnetti_rwlock_tryrdlock(&rwlock->lock);
  if (error != 0) return error;
#endif
  GASNETTI_CHECKED(gasnetti_note_reading(&rwlock->holder));
  return error;
}
GASNETT_INLINE(gasnett_rwlock_trywrlock)
int gasnett_rwlock_trywrlock(gasnett_rwlock_t *rwlock) {
  int error = 0;
  (void)rwlock;
  GASNETTI_CHECKED(
      gasnetti_check_taking(&rwlock->holder, "gasnett_rwlock_trywrlock"));
#if GASNETTI_LOCKS
  error = gasnetti_rwlock_trywrlock(&rwlock->lock);
  if (error != 0) return error;
#endif
  GASNETTI_CHECKED(gasnetti_note_taken(&rwlock->holder));
  return error;
}

/* Assert how a lock is held:
 * - mutex_assertlocked: this thread holds the mutex.
 * - mutex_assertunlocked: this thread does not hold the mutex.
 * - rwlock_assertrdlocked: at least one thread reads.
 * - rwlock_assertwrlocked: this thread writes.
 * - rwlock_assertlocked: at least one thread reads, or this thread writes.
 * - rwlock_assertunlocked: this thread does not write.
 */
GASNETT_INLINE(gasnett_mutex_assertlocked)
void gasnett_mutex_assertlocked(gasnett_mutex_t *mutex) {
  (void)mutex;
  GASNETTI_CHECKED(
      gasnetti_require_owner(&mutex->holder, "gasnett_mutex_assertlocked"));
}
GASNETT_INLINE(gasnett_mutex_assertunlocked)
void gasnett_mutex_assertunlocked(gasnett_mutex_t *mutex) {
  (void)mutex;
  GASNETTI_CHECKED(
      gasnetti_check_taking(&mutex->holder, "gasnett_mutex_assertunlocked"));
}
GASNETT_INLINE(gasnett_rwlock_assertrdlocked)
void gasnett_rwlock_assertrdlocked(gasnett_rwlock_t *rwlock) {
  (void)rwlock;
  GASNETTI_CHECKED(gasnetti_require_readers(&rwlock->holder,
                                            "gasnett_rwlock_assertrdlocked"));
}
GASNETT_INLINE(gasnett_rwlock_assertwrlocked)
void gasnett_rwlock_assertwrlocked(gasnett_rwlock_t *rwlock) {
  (void)rwlock;
  GASNETTI_CHECKED(
      gasnetti_require_owner(&rwlock->holder, "gasnett_rwlock_assertwrlocked"));
}
GASNETT_INLINE(gasnett_rwlock_assertlocked)
void gasnett_rwlock_assertlocked(gasnett_rwlock_t *rwlock) {
  (void)rwlock;
#ifdef GASNET_DEBUG
  if (rwlock->holder.readers == 0)
    gasnetti_require_owner(&rwlock->holder, "gasnett_rwlock_assertlocked");
#endif
}
GASNETT_INLINE(gasnett_rwlock_assertunlocked)
void gasnett_rwlock_assertunlocked(gasnett_rwlock_t *rwlock) {
  (void)rwlock;
  GASNETTI_CHECKED(
      gasnetti_check_taking(&rwlock->holder, "gasnett_rwlock_assertunlocked"));
}

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_LOCK_CALLS_H_ */
