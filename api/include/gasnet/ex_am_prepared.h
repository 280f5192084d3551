/* GASNet-EX: active messages with a negotiated payload. Prepare agrees on the
 * size and the place of the payload. Then the client fills in the payload.
 * Finally Commit sends the message, or Cancel drops it.
 *
 * Prepare is legal where the message could be sent: for requests in main-line
 * code, for replies in request handlers. The thread that called Prepare must
 * also call Commit or Cancel for the same kind of message. Between Prepare and
 * Commit or Cancel it may only make calls that are legal anywhere. Descriptors
 * do not nest. Misuse is fatal. */
#ifndef GASNET_EX_AM_PREPARED_H_
#define GASNET_EX_AM_PREPARED_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* Returns the descriptor of a message to be sent.
 * - client_buf: the client's payload, or NULL for a buffer of the library,
 *   aligned for any type.
 * - least_payload, most_payload: bounds of the size, in bytes. least_payload is
 *   at most gex_AM_Max* with a flag GEX_FLAG_AM_PREPARE_LEAST_*.
 * - dest_addr: NULL, or the address that Commit will give too.
 * - lc_opt: NULL with a buffer of the library; otherwise as in ex_am.h. If
 *   lc_opt is the address of an event, Commit stores the event.
 * - flags: with GEX_FLAG_IMMEDIATE the call may return GEX_AM_SRCDESC_NO_OP;
 *   then it has done nothing. */
gex_AM_SrcDesc_t gex_AM_PrepareRequestMedium(
    gex_TM_t tm, gex_Rank_t rank, const void *client_buf, size_t least_payload,
    size_t most_payload, gex_Event_t *lc_opt, gex_Flags_t flags,
    unsigned int numargs) GASNETI_MUST_USE;
gex_AM_SrcDesc_t gex_AM_PrepareRequestLong(
    gex_TM_t tm, gex_Rank_t rank, const void *client_buf, size_t least_payload,
    size_t most_payload, void *dest_addr, gex_Event_t *lc_opt,
    gex_Flags_t flags, unsigned int numargs) GASNETI_MUST_USE;
gex_AM_SrcDesc_t gex_AM_PrepareReplyMedium(
    gex_Token_t token, const void *client_buf, size_t least_payload,
    size_t most_payload, gex_Event_t *lc_opt, gex_Flags_t flags,
    unsigned int numargs) GASNETI_MUST_USE;
gex_AM_SrcDesc_t gex_AM_PrepareReplyLong(gex_Token_t token,
                                         const void *client_buf,
                                         size_t least_payload,
                                         size_t most_payload, void *dest_addr,
                                         gex_Event_t *lc_opt, gex_Flags_t flags,
                                         unsigned int numargs) GASNETI_MUST_USE;

/* Return the address and the maximum size in bytes of the payload. Legal from
 * Prepare to Commit or Cancel. */
void *gex_AM_SrcDescAddr(gex_AM_SrcDesc_t sd);
size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t sd);

/* Give a descriptor back and send nothing. flags: 0. Return 0. After the cancel
 * of a reply the handler may still reply. */
int gex_AM_CancelRequestMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelRequestLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelReplyMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelReplyLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags);

/* Send the first nbytes bytes of the payload with the numargs arguments at
 * args. numargs is the number that was given to Prepare. Return 0. If
 * commit_flags has GEX_FLAG_IMMEDIATE, they may return nonzero; the descriptor
 * is then unchanged. The gex_AM_Commit* functions of ex_am_calls.h call these
 * functions. */
int gasneti_gex_AM_CommitRequestMedium(gex_AM_SrcDesc_t sd,
                                       gasneti_index_t handler, size_t nbytes,
                                       gex_Flags_t commit_flags,
                                       unsigned numargs,
                                       const gex_AM_Arg_t *args);
int gasneti_gex_AM_CommitRequestLong(gex_AM_SrcDesc_t sd,
                                     gasneti_index_t handler, size_t nbytes,
                                     void *dest_addr, gex_Flags_t commit_flags,
                                     unsigned numargs,
                                     const gex_AM_Arg_t *args);
int gasneti_gex_AM_CommitReplyMedium(gex_AM_SrcDesc_t sd,
                                     gasneti_index_t handler, size_t nbytes,
                                     gex_Flags_t commit_flags, unsigned numargs,
                                     const gex_AM_Arg_t *args);
int gasneti_gex_AM_CommitReplyLong(gex_AM_SrcDesc_t sd, gasneti_index_t handler,
                                   size_t nbytes, void *dest_addr,
                                   gex_Flags_t commit_flags, unsigned numargs,
                                   const gex_AM_Arg_t *args);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_AM_PREPARED_H_ */
