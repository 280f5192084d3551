/* Memory barriers control the order in which other processors see the accesses
 * of the calling processor.
 * - wmb: stores before the barrier are seen before stores after it
 * - rmb: loads before the barrier are done before loads after it
 * - mb: all accesses before the barrier are done and seen before all after
 *   it
 *
 * The compiler does not move accesses across these barriers. gasnett_local_*
 * order accesses for the threads of this process and for processes that share
 * its memory. gasnett_weak_* order accesses only for the threads of this
 * process. In the sequential form, gasnett_weak_* are only compiler barriers.
 */
#ifndef GASNET_TOOLS_MEMBAR_H_
#define GASNET_TOOLS_MEMBAR_H_

#include "gasnet_tools/config.h"

GASNETT_INLINE(gasnett_local_wmb) void gasnett_local_wmb(void) {
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

GASNETT_INLINE(gasnett_local_rmb) void gasnett_local_rmb(void) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

GASNETT_INLINE(gasnett_local_mb) void gasnett_local_mb(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

GASNETT_INLINE(gasnett_weak_wmb) void gasnett_weak_wmb(void) {
#if GASNETTI_THREADS
  gasnett_local_wmb();
#else
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

GASNETT_INLINE(gasnett_weak_rmb) void gasnett_weak_rmb(void) {
#if GASNETTI_THREADS
  gasnett_local_rmb();
#else
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

GASNETT_INLINE(gasnett_weak_mb) void gasnett_weak_mb(void) {
#if GASNETTI_THREADS
  gasnett_local_mb();
#else
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Orders accesses as a signal handler of this thread sees them. It is only a
 * compiler barrier. */
GASNETT_INLINE(gasnett_compiler_fence) void gasnett_compiler_fence(void) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Slows down a loop that waits for another thread's store. It leaves more of
 * the processor to other threads, and makes the compiler load the value
 * again. */
GASNETT_INLINE(gasnett_spinloop_hint) void gasnett_spinloop_hint(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
  gasnett_compiler_fence();
}

#endif /* GASNET_TOOLS_MEMBAR_H_ */
