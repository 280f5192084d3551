/* Memory barriers: the order in which other processors see what this one does.
 *
 *   wmb  stores before it are seen before stores after it
 *   rmb  loads before it are done before loads after it
 *   mb   all accesses before it are done and seen before all after it
 *
 * The compiler too moves no access across any of them. gasnett_local_* order
 * accesses for the threads of this process and for processes that share its
 * memory. gasnett_weak_* order them for the threads of this process alone, and
 * hold back nothing but the compiler in the sequential form.
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

#endif /* GASNET_TOOLS_MEMBAR_H_ */
