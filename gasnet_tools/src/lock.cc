#include "gasnet_tools/lock.h"

#include <pthread.h>

#include "base/log.h"
#include "gasnet_tools/src/export.h"

namespace {

// Returns a value that identifies the calling thread. Live threads have
// different values, and none is 0.
uintptr_t Self() {
  static thread_local char self;
  return reinterpret_cast<uintptr_t>(&self);
}

// Returns true if the calling thread is the owner. Relaxed order suffices:
// other threads may write the owner at the same time, but never this thread's
// value.
bool IsOwner(const gasnetti_holder_t* holder) {
  return __atomic_load_n(&holder->owner, __ATOMIC_RELAXED) == Self();
}

void SetOwner(gasnetti_holder_t* holder, uintptr_t owner) {
  __atomic_store_n(&holder->owner, owner, __ATOMIC_RELAXED);
}

pthread_rwlock_t* System(void* lock) {
  return static_cast<pthread_rwlock_t*>(lock);
}

}  // namespace

GASNETTI_EXPORT void gasnetti_check_taking(const gasnetti_holder_t* holder,
                                           const char* call) {
  if (IsOwner(holder)) {
    gasnet::Fatal("%s: lock %p is held by the calling thread already", call,
                  static_cast<const void*>(holder));
  }
}

GASNETTI_EXPORT void gasnetti_note_taken(gasnetti_holder_t* holder) {
  SetOwner(holder, Self());
}

GASNETTI_EXPORT void gasnetti_note_releasing(gasnetti_holder_t* holder,
                                             const char* call) {
  gasnetti_require_owner(holder, call);
  SetOwner(holder, 0);
}

GASNETTI_EXPORT void gasnetti_note_reading(gasnetti_holder_t* holder) {
  __atomic_fetch_add(&holder->readers, 1, __ATOMIC_RELAXED);
}

GASNETTI_EXPORT void gasnetti_note_releasing_rw(gasnetti_holder_t* holder) {
  if (IsOwner(holder)) {
    SetOwner(holder, 0);
  } else if (__atomic_fetch_sub(&holder->readers, 1, __ATOMIC_RELAXED) <= 0) {
    gasnet::Fatal(
        "gasnett_rwlock_unlock: lock %p is not held by the calling "
        "thread",
        static_cast<const void*>(holder));
  }
}

GASNETTI_EXPORT void gasnetti_require_owner(const gasnetti_holder_t* holder,
                                            const char* call) {
  if (IsOwner(holder)) return;
  gasnet::Fatal("%s: lock %p is not held by the calling thread", call,
                static_cast<const void*>(holder));
}

GASNETTI_EXPORT void gasnetti_require_readers(const gasnetti_holder_t* holder,
                                              const char* call) {
  if (__atomic_load_n(&holder->readers, __ATOMIC_RELAXED) > 0) return;
  gasnet::Fatal("%s: lock %p is read by no thread", call,
                static_cast<const void*>(holder));
}

GASNETTI_EXPORT void gasnetti_require_free(const gasnetti_holder_t* holder,
                                           const char* call) {
  if (__atomic_load_n(&holder->owner, __ATOMIC_RELAXED) == 0 &&
      __atomic_load_n(&holder->readers, __ATOMIC_RELAXED) == 0) {
    return;
  }
  gasnet::Fatal("%s: lock %p is held by a thread", call,
                static_cast<const void*>(holder));
}

// GASNETT_RWLOCK_INITIALIZER has room for a pthread_rwlock_t. Both initialisers
// are all zero.
static_assert(sizeof(pthread_rwlock_t) <= 64 && alignof(pthread_rwlock_t) <= 8);

GASNETTI_EXPORT void gasnetti_rwlock_rdlock(void* lock) {
  pthread_rwlock_rdlock(System(lock));
}

GASNETTI_EXPORT void gasnetti_rwlock_wrlock(void* lock) {
  pthread_rwlock_wrlock(System(lock));
}

GASNETTI_EXPORT void gasnetti_rwlock_unlock(void* lock) {
  pthread_rwlock_unlock(System(lock));
}

GASNETTI_EXPORT int gasnetti_rwlock_tryrdlock(void* lock) {
  return pthread_rwlock_tryrdlock(System(lock));
}

GASNETTI_EXPORT int gasnetti_rwlock_trywrlock(void* lock) {
  return pthread_rwlock_trywrlock(System(lock));
}
