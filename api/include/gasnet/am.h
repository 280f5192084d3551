/* Active messages (spec 2.3).
 *
 * A request goes to any node. A reply goes to the node whose request is being
 * handled. A call returns once the message is sent; the handler may not have
 * run yet. Then the caller may reuse the arguments and the source memory. With
 * LongAsync the source memory stays in use until the matching reply handler
 * runs. Messages are delivered exactly once, in no particular order. A request
 * may block; while it is blocked it runs handlers.
 *
 * Beyond the specification: a message to the calling node runs its handler on
 * the calling thread, before the call returns. If this handler replies, the
 * reply's handler runs in the same way. The handler of a Medium to the calling
 * node gets a copy of the payload too. The source of a Long may overlap its
 * destination.
 *
 * A handler must return. If a C++ exception leaves a handler, or a thread ends
 * in a handler, the job ends with a message that names the handler. No call is
 * a pthreads cancellation point.
 *
 * Requests and polls are illegal in a handler, in a no-interrupt section and
 * while a handler-safe lock is held. A reply is legal only in a request
 * handler, once, with no lock held.
 *
 * All calls return GASNET_OK. If the handler index is not 128..255, they do
 * nothing and return GASNET_ERR_BAD_ARG. Other misuse (bad node, oversized
 * payload, Long destination outside the target's segment, unregistered handler)
 * ends the job. The error message names the call and the argument. If a handler
 * is not registered, it names the index, the category and the sender.
 */
#ifndef GASNET_AM_H_
#define GASNET_AM_H_

#include "gasnet/abi.h"

/* Convert a 64-bit value or a pointer to two message arguments and back. */
#define GASNETI_HIWORD(value) \
  GASNETI_CAST(gasnet_handlerarg_t, GASNETI_WORD(value) >> 32)
#define GASNETI_LOWORD(value) \
  GASNETI_CAST(gasnet_handlerarg_t, GASNETI_WORD(value) & 0xffffffffu)
#define GASNETI_MAKEWORD(high, low)                               \
  ((GASNETI_CAST(uint64_t, GASNETI_CAST(uint32_t, high)) << 32) | \
   GASNETI_CAST(uint32_t, low))
/* Accepts numbers and pointers. C++ does not convert pointers implicitly, hence
   the C cast. */
#define GASNETI_WORD(value) ((uint64_t)(uintptr_t)(value))

GASNETI_EXTERN_C_BEGIN

/* Send a message with the numargs arguments at args. Each gasnet_AM*M function
 * of am_calls.h calls one of these with a fixed number M. */
int gasneti_AMRequestShort(gasnet_node_t dest, gasneti_index_t handler,
                           unsigned numargs, const gasnet_handlerarg_t *args);
int gasneti_AMRequestMedium(gasnet_node_t dest, gasneti_index_t handler,
                            const void *source_addr, size_t nbytes,
                            unsigned numargs, const gasnet_handlerarg_t *args);
int gasneti_AMRequestLong(gasnet_node_t dest, gasneti_index_t handler,
                          const void *source_addr, size_t nbytes,
                          void *dest_addr, unsigned numargs,
                          const gasnet_handlerarg_t *args);
int gasneti_AMRequestLongAsync(gasnet_node_t dest, gasneti_index_t handler,
                               const void *source_addr, size_t nbytes,
                               void *dest_addr, unsigned numargs,
                               const gasnet_handlerarg_t *args);
int gasneti_AMReplyShort(gasnet_token_t token, gasneti_index_t handler,
                         unsigned numargs, const gasnet_handlerarg_t *args);
int gasneti_AMReplyMedium(gasnet_token_t token, gasneti_index_t handler,
                          const void *source_addr, size_t nbytes,
                          unsigned numargs, const gasnet_handlerarg_t *args);
int gasneti_AMReplyLong(gasnet_token_t token, gasneti_index_t handler,
                        const void *source_addr, size_t nbytes, void *dest_addr,
                        unsigned numargs, const gasnet_handlerarg_t *args);

/* Send a message like the functions above, but take the numargs arguments, of
 * type gasnet_handlerarg_t, as the last parameters of the call. */
int gasnet_AMRequestShort(gasnet_node_t dest, gasneti_index_t handler,
                          int numargs, ...);
int gasnet_AMRequestMedium(gasnet_node_t dest, gasneti_index_t handler,
                           void *source_addr, size_t nbytes, int numargs, ...);
int gasnet_AMRequestLong(gasnet_node_t dest, gasneti_index_t handler,
                         void *source_addr, size_t nbytes, void *dest_addr,
                         int numargs, ...);
int gasnet_AMRequestLongAsync(gasnet_node_t dest, gasneti_index_t handler,
                              void *source_addr, size_t nbytes, void *dest_addr,
                              int numargs, ...);
int gasnet_AMReplyShort(gasnet_token_t token, gasneti_index_t handler,
                        int numargs, ...);
int gasnet_AMReplyMedium(gasnet_token_t token, gasneti_index_t handler,
                         void *source_addr, size_t nbytes, int numargs, ...);
int gasnet_AMReplyLong(gasnet_token_t token, gasneti_index_t handler,
                       void *source_addr, size_t nbytes, void *dest_addr,
                       int numargs, ...);

/* Return limits (spec 2.3.2): the maximum number of arguments, and the maximum
 * payloads in bytes. The limits are the same on every node and constant from
 * gasnet_attach on. */
GASNETI_INLINE size_t gasnet_AMMaxArgs(void) { return 16; }
size_t gasnet_AMMaxMedium(void);
size_t gasnet_AMMaxLongRequest(void);
size_t gasnet_AMMaxLongReply(void);

/* Runs the handlers of messages that have arrived (spec 2.3.5.1). Returns
 * GASNET_OK. Illegal in the same contexts as a request. */
int gasnet_AMPoll(void);

/* Sets *srcindex to the node that sent the message being handled (spec
 * 2.3.5.3). Legal only in a handler, with the handler's token. Returns
 * GASNET_OK, or GASNET_ERR_BAD_ARG for a null argument. */
int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *srcindex);

/* A wait in progress. It starts as all zero. The caller calls gasneti_wait_step
 * until the condition holds, and then gasneti_wait_end. A step polls; if there
 * is nothing to do, it spins, yields or sleeps, depending on the wait mode. The
 * caller evaluates the condition between any two steps, but not again once the
 * condition was true. gasneti_wait_serve polls before the first evaluation, so
 * that a wait serves the network even if its condition holds from the start. */
typedef struct {
  uint32_t state[3];
} gasneti_wait_t;
void gasneti_wait_serve(void);
void gasneti_wait_step(gasneti_wait_t *wait);
void gasneti_wait_end(gasneti_wait_t *wait);

/* The wait of GASNET_BLOCKUNTIL. In C++ its scope ends it, since the condition
 * may throw an exception. */
#ifdef __cplusplus
struct gasneti_wait_scope_t {
  gasneti_wait_t wait;
  ~gasneti_wait_scope_t() { gasneti_wait_end(&wait); }
};
#define GASNETI_END_WAIT(scope) static_cast<void>(0)
#else
typedef struct {
  gasneti_wait_t wait;
} gasneti_wait_scope_t;
#define GASNETI_END_WAIT(scope) gasneti_wait_end(&(scope).wait)
#endif

/* Serves the network, at least once, until cond is true (spec 2.3.5.2). Illegal
 * in the same contexts as a request. Only handlers should change cond. If
 * something else changes cond, such as a peer's put, a sleeping thread sees the
 * change only at the end of its current sleep. In the first second of a wait
 * one sleep takes at most a millisecond (4 if the host has more nodes than
 * processors). Later a sleep takes at most a thousandth of the time waited so
 * far, and never more than 8 milliseconds.
 *
 * In C++, cond may throw an exception, which ends the wait. If a longjmp leaves
 * cond, the wait never ends for statistics and for gasnetrun --status. */
#define GASNET_BLOCKUNTIL(cond)                              \
  do {                                                       \
    {                                                        \
      gasneti_wait_scope_t gasneti_wait = {{{0, 0, 0}}};     \
      gasneti_wait_serve();                                  \
      while (!(cond)) gasneti_wait_step(&gasneti_wait.wait); \
      GASNETI_END_WAIT(gasneti_wait);                        \
    }                                                        \
    GASNETI_ACQUIRE();                                       \
  } while (0)

GASNETI_EXTERN_C_END

/* Defines the calls for every M in 0..16. */
#include "gasnet/am_calls.h"

#endif /* GASNET_AM_H_ */
