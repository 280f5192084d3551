/* No-interrupt sections and handler-safe locks (spec 2.4).
 *
 * Handlers run only inside GASNet calls, never from a signal, so a
 * no-interrupt section costs nothing; debug builds check its rules.
 */
#ifndef GASNET_ATOMICITY_H_
#define GASNET_ATOMICITY_H_

#include "gasnet/abi.h"

GASNETI_EXTERN_C_BEGIN

void gasneti_hold_interrupts(void);
void gasneti_resume_interrupts(void);

/* Open and close a no-interrupt section of the calling thread (spec 2.4.2.1).
 * The calls are paired and do not nest. Inside a section, only gasnet_mynode,
 * gasnet_nodes, gasnet_hsl_*, gasnet_exit and, in a request handler, a reply
 * may be called. Both calls are ignored in handlers and while the thread holds
 * a handler-safe lock (spec 2.4.3, 2.4.5). Debug builds warn once if a section
 * lasts longer than a second. */
GASNETI_INLINE void gasnet_hold_interrupts(void) {
#ifdef GASNET_DEBUG
  gasneti_hold_interrupts();
#endif
}
GASNETI_INLINE void gasnet_resume_interrupts(void) {
#ifdef GASNET_DEBUG
  gasneti_resume_interrupts();
#endif
}

/* gasnet_hsl_init initialises a lock, once; gasnet_hsl_destroy releases the
 * lock's resources (spec 2.4.4.2). Destroying a held lock is an error. Debug
 * builds warn once if a lock is initialised again before it is destroyed. */
void gasnet_hsl_init(gasnet_hsl_t *hsl);
void gasnet_hsl_destroy(gasnet_hsl_t *hsl);

void gasneti_hsl_lock(gasnet_hsl_t *hsl);
int gasneti_hsl_trylock(gasnet_hsl_t *hsl);
void gasneti_hsl_unlock(gasnet_hsl_t *hsl);

/* 1 if handler-safe locks exclude other threads. Under GASNET_SEQ there is only
 * one client thread. It runs the handlers too, outside its critical sections,
 * so there is nothing to exclude. */
#if defined(GASNET_SEQ)
#define GASNETI_HSL_EXCLUDES 0
#else
#define GASNETI_HSL_EXCLUDES 1
#endif

/* Acquires hsl. If another thread holds hsl, waits until that thread releases
 * it (spec 2.4.4.3). This is the only blocking call that is legal in a handler.
 * The lock is not recursive. Until the unlock the thread is in a no-interrupt
 * section. */
GASNETI_INLINE void gasnet_hsl_lock(gasnet_hsl_t *hsl) {
#ifdef GASNET_DEBUG
  gasneti_hsl_lock(hsl);
#else
  uint32_t free_state = 0;
  if (GASNETI_HSL_EXCLUDES &&
      !__atomic_compare_exchange_n(&hsl->state, &free_state, 1, 0,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    gasneti_hsl_lock(hsl);
#endif
}

/* Acquires hsl if it is free now and returns GASNET_OK; else returns
 * GASNET_ERR_NOT_READY. */
GASNETI_INLINE int gasnet_hsl_trylock(gasnet_hsl_t *hsl) {
#ifdef GASNET_DEBUG
  return gasneti_hsl_trylock(hsl);
#else
  uint32_t free_state = 0;
  return !GASNETI_HSL_EXCLUDES ||
                 __atomic_compare_exchange_n(&hsl->state, &free_state, 1, 0,
                                             __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
             ? GASNET_OK
             : GASNET_ERR_NOT_READY;
#endif
}

/* Releases hsl, the lock that the calling thread acquired last. Debug builds
 * warn once if a lock is held longer than a second. */
GASNETI_INLINE void gasnet_hsl_unlock(gasnet_hsl_t *hsl) {
#ifdef GASNET_DEBUG
  gasneti_hsl_unlock(hsl);
#else
  if (GASNETI_HSL_EXCLUDES &&
      __atomic_exchange_n(&hsl->state, 0, __ATOMIC_RELEASE) == 2)
    gasneti_hsl_unlock(hsl);
#endif
}

GASNETI_EXTERN_C_END

#endif /* GASNET_ATOMICITY_H_ */
