/* GASNet-EX: active messages whose payload is known when they are sent.
 *
 * The rules of am.h about delivery and handlers hold. A request goes to (tm,
 * rank), a reply to the sender of the request that is being handled. lc_opt
 * says when the source may be reused: GEX_EVENT_NOW, GEX_EVENT_GROUP (requests
 * only) or the address of an event. The call stores a root event at that
 * address, and the client must sync it. A Long of 0 bytes needs no segment; its
 * handler gets dest_addr unchanged.
 *
 * Calls that send return 0. With GEX_FLAG_IMMEDIATE a call may return nonzero;
 * then it has sent nothing. Requests are legal in main-line code only. Replies
 * are legal in request handlers only, once. Queries of limits are legal
 * anywhere. Misuse is fatal.
 */
#ifndef GASNET_EX_AM_H_
#define GASNET_EX_AM_H_

#include "gasnet/am.h"
#include "gasnet/ex_team.h"

GASNETI_EXTERN_C_BEGIN

/* Send a message with the numargs arguments at args. Each gex_AM_*M function of
 * ex_am_calls.h calls one of these with a fixed number M. Requests go through
 * an inlined function below. */
int gasneti_gex_AM_RequestShort(gex_TM_t tm, gex_Rank_t rank,
                                gasneti_index_t handler, gex_Flags_t flags,
                                unsigned numargs, const gex_AM_Arg_t *args);
int gasneti_gex_AM_RequestMedium(gex_TM_t tm, gex_Rank_t rank,
                                 gasneti_index_t handler,
                                 const void *source_addr, size_t nbytes,
                                 gex_Event_t *lc_opt, gex_Flags_t flags,
                                 unsigned numargs, const gex_AM_Arg_t *args);
int gasneti_gex_AM_RequestLong(gex_TM_t tm, gex_Rank_t rank,
                               gasneti_index_t handler, const void *source_addr,
                               size_t nbytes, void *dest_addr,
                               gex_Event_t *lc_opt, gex_Flags_t flags,
                               unsigned numargs, const gex_AM_Arg_t *args);
int gasneti_gex_AM_ReplyShort(gex_Token_t token, gasneti_index_t handler,
                              gex_Flags_t flags, unsigned numargs,
                              const gex_AM_Arg_t *args);
int gasneti_gex_AM_ReplyMedium(gex_Token_t token, gasneti_index_t handler,
                               const void *source_addr, size_t nbytes,
                               gex_Event_t *lc_opt, gex_Flags_t flags,
                               unsigned numargs, const gex_AM_Arg_t *args);
int gasneti_gex_AM_ReplyLong(gex_Token_t token, gasneti_index_t handler,
                             const void *source_addr, size_t nbytes,
                             void *dest_addr, gex_Event_t *lc_opt,
                             gex_Flags_t flags, unsigned numargs,
                             const gex_AM_Arg_t *args);

/* Send a request like the functions above, but only to the primordial endpoint
 * of a node, and wait for resources if necessary. These functions take few
 * arguments, so that all fit in registers, except one argument of a Long. */
int gasneti_gex_AM_RequestShortTo(gasnet_node_t node, gasneti_index_t handler,
                                  unsigned numargs, const gex_AM_Arg_t *args);
int gasneti_gex_AM_RequestMediumTo(gasnet_node_t node, gasneti_index_t handler,
                                   const void *source_addr, size_t nbytes,
                                   unsigned numargs, const gex_AM_Arg_t *args);
int gasneti_gex_AM_RequestLongTo(gasnet_node_t node, gasneti_index_t handler,
                                 const void *source_addr, size_t nbytes,
                                 void *dest_addr, unsigned numargs,
                                 const gex_AM_Arg_t *args);

/* Returns 1 if the functions above can send the request: ranks of tm are node
 * numbers, and the request may wait. Returns 0 in debug builds, because the
 * general functions check all arguments. */
GASNETI_INLINE int gasneti_is_plain_request(gex_TM_t tm, gex_Flags_t flags) {
  return !GASNETI_CHECKED && GASNETI_LIKELY(tm == &gasneti_tm_all) &&
         (flags & GEX_FLAG_IMMEDIATE) == 0;
}

GASNETI_INLINE int gasneti_request_short(gex_TM_t tm, gex_Rank_t rank,
                                         gasneti_index_t handler,
                                         gex_Flags_t flags, unsigned numargs,
                                         const gex_AM_Arg_t *args) {
  if (gasneti_is_plain_request(tm, flags))
    return gasneti_gex_AM_RequestShortTo(rank, handler, numargs, args);
  return gasneti_gex_AM_RequestShort(tm, rank, handler, flags, numargs, args);
}
GASNETI_INLINE int gasneti_request_medium(gex_TM_t tm, gex_Rank_t rank,
                                          gasneti_index_t handler,
                                          const void *source_addr,
                                          size_t nbytes, gex_Event_t *lc_opt,
                                          gex_Flags_t flags, unsigned numargs,
                                          const gex_AM_Arg_t *args) {
  if (gasneti_is_plain_request(tm, flags)) {
    gasneti_source_read(lc_opt);
    return gasneti_gex_AM_RequestMediumTo(rank, handler, source_addr, nbytes,
                                          numargs, args);
  }
  return gasneti_gex_AM_RequestMedium(tm, rank, handler, source_addr, nbytes,
                                      lc_opt, flags, numargs, args);
}
GASNETI_INLINE int gasneti_request_long(gex_TM_t tm, gex_Rank_t rank,
                                        gasneti_index_t handler,
                                        const void *source_addr, size_t nbytes,
                                        void *dest_addr, gex_Event_t *lc_opt,
                                        gex_Flags_t flags, unsigned numargs,
                                        const gex_AM_Arg_t *args) {
  if (gasneti_is_plain_request(tm, flags)) {
    gasneti_source_read(lc_opt);
    return gasneti_gex_AM_RequestLongTo(rank, handler, source_addr, nbytes,
                                        dest_addr, numargs, args);
  }
  return gasneti_gex_AM_RequestLong(tm, rank, handler, source_addr, nbytes,
                                    dest_addr, lc_opt, flags, numargs, args);
}

/* The maximum number of arguments (M), a constant. */
#define gex_AM_MaxArgs() 16u

/* Return the maximum nbytes, in bytes, of the call of the same name (without
 * Max) with the same lc_opt, flags and number of arguments. A NULL lc_opt
 * stands for the address of any event. With a flag GEX_FLAG_AM_PREPARE_LEAST_*
 * they return the maximum least_payload of the Prepare call. other_rank is the
 * peer, also for a reply. GEX_RANK_INVALID asks for the smallest value of all
 * peers. The result is constant and at least 512. */
size_t gex_AM_MaxRequestMedium(gex_TM_t tm, gex_Rank_t other_rank,
                               const gex_Event_t *lc_opt, gex_Flags_t flags,
                               unsigned int numargs);
size_t gex_AM_MaxRequestLong(gex_TM_t tm, gex_Rank_t other_rank,
                             const gex_Event_t *lc_opt, gex_Flags_t flags,
                             unsigned int numargs);
size_t gex_AM_MaxReplyMedium(gex_TM_t tm, gex_Rank_t other_rank,
                             const gex_Event_t *lc_opt, gex_Flags_t flags,
                             unsigned int numargs);
size_t gex_AM_MaxReplyLong(gex_TM_t tm, gex_Rank_t other_rank,
                           const gex_Event_t *lc_opt, gex_Flags_t flags,
                           unsigned int numargs);
/* Return the maximum nbytes of a reply with this token, like gex_AM_MaxReply*.
   Legal in request handlers. */
size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t *lc_opt,
                                gex_Flags_t flags, unsigned int numargs);
size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t *lc_opt,
                              gex_Flags_t flags, unsigned int numargs);
/* Return payload sizes that are legal between any two primordial endpoints,
 * with any number of arguments. Replies of other endpoints may have smaller
 * limits (gex_AM_MaxReply*). */
size_t gex_AM_LUBRequestMedium(void);
size_t gex_AM_LUBRequestLong(void);
size_t gex_AM_LUBReplyMedium(void);
size_t gex_AM_LUBReplyLong(void);

/* Writes facts about the message being handled to *info: those that mask
 * selects, and perhaps more. Returns the GEX_TI_* bits of the facts that it
 * wrote. Legal in a handler, with the handler's token, also while a lock is
 * held. */
gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t *info,
                        gex_TI_t mask);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_AM_H_ */
