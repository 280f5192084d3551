/* Thread-local pointers, initially NULL.
 *
 * A key is a bare name. Write GASNETT_THREADKEY_DEFINE(key); at file scope,
 * once in a program, to define it. Write GASNETT_THREADKEY_DECLARE(key); in
 * other files, or before the definition, to declare it. In the sequential form
 * a key is an ordinary variable. The target of a pointer is not freed when its
 * thread ends.
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

/* Initialises a key. A process must call this before its first _noinit access
 * to the key. Repeated calls are legal. */
#define gasnett_threadkey_init(key) ((void)&gasnetti_threadkey_##key)

/* Does nothing. Some programs call this function because other implementations
 * need it. The argument may be any address.
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
