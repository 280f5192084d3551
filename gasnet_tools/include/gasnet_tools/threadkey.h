/* Thread-local pointers, initially NULL.
 *
 * A key is a bare name. GASNETT_THREADKEY_DEFINE(key); at file scope defines it
 * once in a program. GASNETT_THREADKEY_DECLARE(key); declares it in other
 * files, or before the definition. In the sequential form it is an ordinary
 * variable. The target of a pointer is not freed when its thread ends.
 */
#ifndef GASNET_TOOLS_THREADKEY_H_
#define GASNET_TOOLS_THREADKEY_H_

#include "gasnet/platform.h"
#include "gasnet_tools/config.h"

#if GASNETTI_THREADS
#define GASNETTI_PER_THREAD __thread
#else
#define GASNETTI_PER_THREAD
#endif

#define GASNETT_THREADKEY_DECLARE(key) \
  extern GASNETTI_PER_THREAD void *gasnetti_threadkey_##key
#define GASNETT_THREADKEY_DEFINE(key) \
  GASNETTI_PER_THREAD void *gasnetti_threadkey_##key = 0

/* Initialises a key. Needed before the first _noinit access to it in a process;
 * may be called again. */
#define gasnett_threadkey_init(key) ((void)&gasnetti_threadkey_##key)

/* Does nothing. Programs for other implementations call it, with any
 * address.
 */
GASNETT_INLINE(_gasneti_threadkey_init)
void _gasneti_threadkey_init(const void *key) { (void)key; }

/* Get and set the calling thread's pointer. The _noinit forms require an
 * initialised key. */
#define gasnett_threadkey_get(key) \
  GASNETI_CAST(void *, gasnetti_threadkey_##key)
#define gasnett_threadkey_set(key, value) \
  ((void)(gasnetti_threadkey_##key = (value)))
#define gasnett_threadkey_get_noinit(key) gasnett_threadkey_get(key)
#define gasnett_threadkey_set_noinit(key, value) \
  gasnett_threadkey_set(key, value)

#endif /* GASNET_TOOLS_THREADKEY_H_ */
