/* Thread identification and wait modes (spec 3.6). */
#ifndef GASNET_THREADS_H_
#define GASNET_THREADS_H_

#include "gasnet/abi.h"

GASNETI_EXTERN_C_BEGIN

gasnet_threadinfo_t gasneti_threadinfo(void);

/* Returns the calling thread's record (spec 3.6.1.1). Live threads have
 * distinct records. Legal from gasnet_init on. */
#define GASNET_GET_THREADINFO() gasneti_threadinfo()

/* Posts info, the thread's record, for the rest of a function or block (spec
 * 3.6.1.2). The macro must come first in the block; declarations may follow. In
 * this library a thread finds its record with one thread-local load, so posting
 * neither gains nor costs time. */
#define GASNETI_CONCAT_(a, b) a##b
#define GASNETI_CONCAT(a, b) GASNETI_CONCAT_(a, b)
#define GASNET_POST_THREADINFO(info)                                \
  gasnet_threadinfo_t GASNETI_CONCAT(gasneti_posted_info, __LINE__) \
      GASNETI_UNUSED = (info)

/* Gets the calling thread's record and posts it (spec 3.6.1.3). */
#define GASNET_BEGIN_FUNCTION() GASNET_POST_THREADINFO(GASNET_GET_THREADINFO())

/* In other implementations, passes the thread's record as the last argument of
 * a call to an internal function, with the comma before it. In this library no
 * function takes the record, so the macro is empty. */
#define GASNETE_THREAD_GET

/* Sets how this node's threads wait inside blocking calls (spec 3.6.2.1):
 * GASNET_WAIT_SPIN keeps the processor, GASNET_WAIT_BLOCK gives it up at once,
 * GASNET_WAIT_SPINBLOCK spins a while, then gives it up. The environment
 * variable GASNET_WAITMODE names the initial mode; the default is
 * GASNET_WAIT_SPINBLOCK. Returns GASNET_OK, or GASNET_ERR_BAD_ARG for any other
 * value. Legal from gasnet_init on. */
int gasnet_set_waitmode(int wait_mode);

GASNETI_EXTERN_C_END

#endif /* GASNET_THREADS_H_ */
