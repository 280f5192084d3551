/* Mutexes, condition variables and reader-writer locks for the threads of one
 * process. Unlocking makes this thread's accesses visible to the next thread
 * that locks.
 *
 * The sequential form has only one thread, so taking and releasing a lock
 * compiles to nothing. If the program defines GASNETT_USE_TRUE_MUTEXES, it gets
 * the locks of the thread-safe form instead.
 *
 * No lock is recursive. Debug builds of both forms end the process with a
 * message in two cases: a thread locks a mutex that it holds, or it unlocks or
 * waits with a mutex that it does not hold. Debug builds of reader-writer
 * locks record the writer but only count the readers. They can miss misuse by
 * a reader. A lock must not be copied. */
#ifndef GASNET_TOOLS_LOCK_H_
#define GASNET_TOOLS_LOCK_H_

#include <pthread.h>
#include <stdint.h>

#include "gasnet_tools/config.h"

GASNETT_BEGIN_EXTERNC

#if GASNETTI_THREADS || defined(GASNETT_USE_TRUE_MUTEXES)
#define GASNETTI_LOCKS 1
#else
#define GASNETTI_LOCKS 0
#endif

/* The holders of a lock, as debug builds record them. All builds have the same
   layout. */
typedef struct {
  uintptr_t owner; /* a thread, or 0 */
  int32_t readers;
  int32_t reserved;
} gasnetti_holder_t;
#define GASNETTI_NO_HOLDER \
  { 0, 0, 0 }

typedef struct {
  gasnetti_holder_t holder;
#if GASNETTI_LOCKS
  pthread_mutex_t lock;
#endif
} gasnett_mutex_t;

typedef struct {
#if GASNETTI_LOCKS
  pthread_cond_t condition;
#else
  int unused;
#endif
} gasnett_cond_t;

typedef struct {
  gasnetti_holder_t holder;
#if GASNETTI_LOCKS
  /* Memory for a pthread_rwlock_t, since strictly standard C does not declare
     that type. */
  union {
    uint64_t alignment;
    unsigned char bytes[64];
  } lock;
#endif
} gasnett_rwlock_t;

#if GASNETTI_LOCKS
#define GASNETT_MUTEX_INITIALIZER \
  { GASNETTI_NO_HOLDER, PTHREAD_MUTEX_INITIALIZER }
#define GASNETT_COND_INITIALIZER \
  { PTHREAD_COND_INITIALIZER }
#define GASNETT_RWLOCK_INITIALIZER \
  {                                \
    GASNETTI_NO_HOLDER, { 0 }      \
  }
#else
#define GASNETT_MUTEX_INITIALIZER \
  { GASNETTI_NO_HOLDER }
#define GASNETT_COND_INITIALIZER \
  { 0 }
#define GASNETT_RWLOCK_INITIALIZER \
  { GASNETTI_NO_HOLDER }
#endif

/* The checks of debug builds. They end the process if the calling thread must
 * not take the lock, or does not hold the lock that it releases. The note
 * functions also record the action. */
void gasnetti_check_taking(const gasnetti_holder_t *holder, const char *call);
void gasnetti_note_taken(gasnetti_holder_t *holder);
void gasnetti_note_releasing(gasnetti_holder_t *holder, const char *call);
void gasnetti_note_reading(gasnetti_holder_t *holder);
void gasnetti_note_releasing_rw(gasnetti_holder_t *holder);
void gasnetti_require_owner(const gasnetti_holder_t *holder, const char *call);
void gasnetti_require_readers(const gasnetti_holder_t *holder,
                              const char *call);
void gasnetti_require_free(const gasnetti_holder_t *holder, const char *call);

void gasnetti_rwlock_rdlock(void *lock);
void gasnetti_rwlock_wrlock(void *lock);
void gasnetti_rwlock_unlock(void *lock);
int gasnetti_rwlock_tryrdlock(void *lock);
int gasnetti_rwlock_trywrlock(void *lock);

#ifdef GASNET_DEBUG
#define GASNETTI_CHECKED(check) check
#else
#define GASNETTI_CHECKED(check) ((void)0)
#endif
#if GASNETTI_LOCKS
#define GASNETTI_THREADED(action) action
#else
#define GASNETTI_THREADED(action) ((void)0)
#endif

/* Waits until no thread holds the mutex, and takes it. */
GASNETT_INLINE(gasnett_mutex_lock)
void gasnett_mutex_lock(gasnett_mutex_t *mutex) {
  (void)mutex;
  GASNETTI_CHECKED(gasnetti_check_taking(&mutex->holder, "gasnett_mutex_lock"));
  GASNETTI_THREADED(pthread_mutex_lock(&mutex->lock));
  GASNETTI_CHECKED(gasnetti_note_taken(&mutex->holder));
}

/* Releases the mutex. The calling thread must hold it. */
GASNETT_INLINE(gasnett_mutex_unlock)
void gasnett_mutex_unlock(gasnett_mutex_t *mutex) {
  (void)mutex;
  GASNETTI_CHECKED(
      gasnetti_note_releasing(&mutex->holder, "gasnett_mutex_unlock"));
  GASNETTI_THREADED(pthread_mutex_unlock(&mutex->lock));
}

/* Releases the mutex, waits until the thread is woken, and takes the mutex
 * again. The calling thread must hold the mutex. The function may return
 * without being woken, so test the awaited condition in a loop. In the
 * sequential form the function returns at once. */
GASNETT_INLINE(gasnett_cond_wait)
void gasnett_cond_wait(gasnett_cond_t *cond, gasnett_mutex_t *mutex) {
  (void)cond;
  (void)mutex;
  GASNETTI_CHECKED(
      gasnetti_note_releasing(&mutex->holder, "gasnett_cond_wait"));
  GASNETTI_THREADED(pthread_cond_wait(&cond->condition, &mutex->lock));
  GASNETTI_CHECKED(gasnetti_note_taken(&mutex->holder));
}

/* Wakes all threads that wait on `cond`. The caller must hold the mutex with
   which they wait. */
GASNETT_INLINE(gasnett_cond_broadcast)
void gasnett_cond_broadcast(gasnett_cond_t *cond) {
  (void)cond;
  GASNETTI_THREADED(pthread_cond_broadcast(&cond->condition));
}

/* Waits until no thread writes, and becomes one of the readers. */
GASNETT_INLINE(gasnett_rwlock_rdlock)
void gasnett_rwlock_rdlock(gasnett_rwlock_t *rwlock) {
  (void)rwlock;
  GASNETTI_CHECKED(
      gasnetti_check_taking(&rwlock->holder, "gasnett_rwlock_rdlock"));
  GASNETTI_THREADED(gasnetti_rwlock_rdlock(&rwlock->lock));
  GASNETTI_CHECKED(gasnetti_note_reading(&rwlock->holder));
}

/* Waits until no thread reads or writes, and becomes the only writer. */
GASNETT_INLINE(gasnett_rwlock_wrlock)
void gasnett_rwlock_wrlock(gasnett_rwlock_t *rwlock) {
  (void)rwlock;
  GASNETTI_CHECKED(
      gasnetti_check_taking(&rwlock->holder, "gasnett_rwlock_wrlock"));
  GASNETTI_THREADED(gasnetti_rwlock_wrlock(&rwlock->lock));
  GASNETTI_CHECKED(gasnetti_note_taken(&rwlock->holder));
}

/* Releases the lock that the calling thread holds for reading or for
   writing. */
GASNETT_INLINE(gasnett_rwlock_unlock)
void gasnett_rwlock_unlock(gasnett_rwlock_t *rwlock) {
  (void)rwlock;
  GASNETTI_CHECKED(gasnetti_note_releasing_rw(&rwlock->holder));
  GASNETTI_THREADED(gasnetti_rwlock_unlock(&rwlock->lock));
}

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_LOCK_H_ */
