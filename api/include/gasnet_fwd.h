/* GASNet-EX: constants and simple types, without functions. This header is for
 * files that only pass these constants and types on. It needs no threading mode
 * and no conduit. Its macros begin with GEX_ or _GEX_. gasnetex.h includes it.
 *
 * The values of constants are opaque. Constants of one family combine by OR,
 * and may be used in #if, except for GEX_EVENT_*.
 */
#ifndef _GEX_FWD_H
#define _GEX_FWD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define _GEX_NULL(type) static_cast<type>(NULL)
#define _GEX_ADDRESS(type, value) \
  reinterpret_cast<type>(static_cast<uintptr_t>(value))
#else
#define _GEX_NULL(type) ((type)NULL)
#define _GEX_ADDRESS(type, value) ((type)(uintptr_t)(value))
#endif

/* The number of a member of a team, or of a process of the job (a jobrank). */
typedef uint32_t gex_Rank_t;
#define GEX_RANK_INVALID 0xffffffffu

/* The number of an endpoint in its process. 0 is the primordial endpoint. */
typedef uint16_t gex_EP_Index_t;

/* The name of one endpoint, valid in all processes. */
typedef struct {
  gex_Rank_t gex_rank;
  gex_EP_Index_t gex_ep_index;
} gex_EP_Location_t;

typedef void *gex_Addr_t;

/* A stage of an operation in progress. It belongs to no thread.
 * GEX_EVENT_INVALID stands for "already complete"; all its bits are zero.
 * GEX_EVENT_NO_OP says that a call with GEX_FLAG_IMMEDIATE did nothing; it must
 * be neither tested nor waited for. */
typedef struct gasneti_op *gex_Event_t;
#define GEX_EVENT_INVALID _GEX_NULL(gex_Event_t)
#define GEX_EVENT_NO_OP _GEX_ADDRESS(gex_Event_t, 3)

/* The choice of local completion (the argument lc_opt): when the source may be
 * reused.
 * - NOW: when the call returns
 * - DEFER: when the operation is synced
 * - GROUP: when the implicit operations of the thread are synced (GEX_EC_LC for
 *   puts, GEX_EC_AM for messages); inside an access region, when the region's
 *   event is synced
 * - an address: when the event that the call stores there has happened
 */
#define GEX_EVENT_NOW _GEX_ADDRESS(gex_Event_t *, 1)
#define GEX_EVENT_DEFER _GEX_ADDRESS(gex_Event_t *, 2)
#define GEX_EVENT_GROUP _GEX_ADDRESS(gex_Event_t *, 3)

/* The type of the operands of atomics and reductions. */
typedef uint32_t gex_DT_t;
#define GEX_DT_I32 (1u << 0)  /* int32_t */
#define GEX_DT_U32 (1u << 1)  /* uint32_t */
#define GEX_DT_I64 (1u << 2)  /* int64_t */
#define GEX_DT_U64 (1u << 3)  /* uint64_t */
#define GEX_DT_FLT (1u << 4)  /* float */
#define GEX_DT_DBL (1u << 5)  /* double */
#define GEX_DT_USER (1u << 6) /* bytes; reductions with GEX_OP_USER only */

/* Operations on op0, op1 and op2. op0 is the old value at the target (atomics)
 * or the left operand (reductions); op1 and op2 are the other operands. Integer
 * arithmetic is that of C. Bitwise operations are for integers only. Reductions
 * take ADD, MULT, MIN, MAX, AND, OR, XOR and USER. */
typedef uint32_t gex_OP_t;
#define GEX_OP_ADD (1u << 0)  /* op0 + op1 */
#define GEX_OP_SUB (1u << 1)  /* op0 - op1 */
#define GEX_OP_MULT (1u << 2) /* op0 * op1 */
#define GEX_OP_MIN (1u << 3)  /* the smaller one */
#define GEX_OP_MAX (1u << 4)  /* the greater one */
#define GEX_OP_INC (1u << 5)  /* op0 + 1 */
#define GEX_OP_DEC (1u << 6)  /* op0 - 1 */
#define GEX_OP_AND (1u << 7)  /* op0 & op1 */
#define GEX_OP_OR (1u << 8)   /* op0 | op1 */
#define GEX_OP_XOR (1u << 9)  /* op0 ^ op1 */
#define GEX_OP_SET (1u << 10) /* op1 */
#define GEX_OP_CAS (1u << 11) /* op0 == op1 ? op2 : op0 */

/* Fetching forms of the operations above: the call also returns op0. Each
 * constant is the non-fetching constant shifted by 12 bits. */
#define GEX_OP_FADD (1u << 12)
#define GEX_OP_FSUB (1u << 13)
#define GEX_OP_FMULT (1u << 14)
#define GEX_OP_FMIN (1u << 15)
#define GEX_OP_FMAX (1u << 16)
#define GEX_OP_FINC (1u << 17)
#define GEX_OP_FDEC (1u << 18)
#define GEX_OP_FAND (1u << 19)
#define GEX_OP_FOR (1u << 20)
#define GEX_OP_FXOR (1u << 21)
#define GEX_OP_SWAP (1u << 22) /* SET */
#define GEX_OP_FCAS (1u << 23) /* CAS */

#define GEX_OP_GET (1u << 24)     /* the result is op0, which is unchanged */
#define GEX_OP_USER (1u << 25)    /* the client's function, commutative */
#define GEX_OP_USER_NC (1u << 26) /* the client's function, in rank order */
#define GEX_OP_CSWAP GEX_OP_FCAS  /* deprecated */

/* Convert an operation, or a set of operations, to its fetching or non-fetching
 * form. Undefined for GET, USER and USER_NC. */
#define GEX_OP_TO_FETCHING(op) (((op)&0xfffu) << 12)
#define GEX_OP_TO_NONFETCHING(op) (((op) >> 12) & 0xfffu)

/* The families of calls that an endpoint may be used for. */
typedef uint32_t gex_EP_Capabilities_t;
#define GEX_EP_CAPABILITY_RMA (1u << 0)
#define GEX_EP_CAPABILITY_AM (1u << 1)
#define GEX_EP_CAPABILITY_VIS (1u << 2)
#define GEX_EP_CAPABILITY_COLL (1u << 3)
#define GEX_EP_CAPABILITY_AD (1u << 4)
#define GEX_EP_CAPABILITY_ALL                                             \
  (GEX_EP_CAPABILITY_RMA | GEX_EP_CAPABILITY_AM | GEX_EP_CAPABILITY_VIS | \
   GEX_EP_CAPABILITY_COLL | GEX_EP_CAPABILITY_AD)

/* Flags. Flags that one call may take together have different bits. */
typedef uint32_t gex_Flags_t;

/* Communication calls: the call may return without doing anything if it would
 * have to wait for resources. The event at the address lc_opt is then
 * undefined. A library may ignore the flag and wait. */
#define GEX_FLAG_IMMEDIATE (1u << 0)

/* gex_RMA_*: promise that the peer is another process (SELF), or is even in
 * another neighbourhood (NBRHD). */
#define GEX_FLAG_PEER_NEVER_SELF (1u << 1)
#define GEX_FLAG_PEER_NEVER_NBRHD (1u << 2)

/* gex_AD_Op*: at most one of MY_RANK and MY_NBRHD. MY_RANK promises that the
 * target is the calling rank, MY_NBRHD that the target is in this
 * neighbourhood. ACQ asks for a fence after the operation, REL for a fence
 * before the operation. */
#define GEX_FLAG_AD_MY_RANK (1u << 3)
#define GEX_FLAG_AD_MY_NBRHD (1u << 4)
#define GEX_FLAG_AD_ACQ (1u << 5)
#define GEX_FLAG_AD_REL (1u << 6)
/* gex_AD_Op*, gex_TM_Create: the given ranks are jobranks. */
#define GEX_FLAG_RANK_IS_JOBRANK (1u << 7)

/* gex_AD_Create: the targets to optimise for. At most one of these is given. */
#define GEX_FLAG_AD_FAVOR_MY_RANK (1u << 8)
#define GEX_FLAG_AD_FAVOR_MY_NBRHD (1u << 9)
#define GEX_FLAG_AD_FAVOR_REMOTE (1u << 10)

/* gex_AM_Max*: ask for the limit of least_payload in the Prepare call, with a
 * buffer of the client (CLIENT) or of the library (ALLOC). At most one of the
 * two is given. */
#define GEX_FLAG_AM_PREPARE_LEAST_CLIENT (1u << 11)
#define GEX_FLAG_AM_PREPARE_LEAST_ALLOC (1u << 12)

/* Communication calls: where the local address (SELF) and the remote address
   (PEER) lie. Not implemented. */
#define GEX_FLAG_SELF_SEG_UNKNOWN (1u << 13)
#define GEX_FLAG_SELF_SEG_SOME (1u << 14)
#define GEX_FLAG_SELF_SEG_BOUND (1u << 15)
#define GEX_FLAG_SELF_SEG_OFFSET (1u << 16)
#define GEX_FLAG_PEER_SEG_UNKNOWN (1u << 17)
#define GEX_FLAG_PEER_SEG_SOME (1u << 18)
#define GEX_FLAG_PEER_SEG_BOUND (1u << 19)
#define GEX_FLAG_PEER_SEG_OFFSET (1u << 20)

/* gex_VIS_*PutNB and PutNBI: provide a separate event for the local completion
 * of the payload. */
#define GEX_FLAG_ENABLE_LEAF_LC (1u << 21)

/* gex_TM_Split and gex_TM_Create: return a size of scratch space and make no
 * team. MIN is deprecated. */
#define GEX_FLAG_TM_SCRATCH_SIZE_MIN (1u << 22)
#define GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED (1u << 23)
/* gex_TM_Create: which scratch addresses each caller gives. Exactly one of
 * these flags is set: GLOBAL, the addresses of all members; LOCAL, the
 * addresses of its own members; SYMMETRIC, one address for all; NO, none.
 * gex_TM_Split takes NO too. */
#define GEX_FLAG_TM_GLOBAL_SCRATCH (1u << 24)
#define GEX_FLAG_TM_LOCAL_SCRATCH (1u << 25)
#define GEX_FLAG_TM_SYMMETRIC_SCRATCH (1u << 26)
#define GEX_FLAG_TM_NO_SCRATCH (1u << 27)
/* gex_TM_Create, gex_TM_Destroy: not implemented. */
#define GEX_FLAG_SCRATCH_SEG_OFFSET (1u << 28)
/* gex_TM_Destroy: promises that no member uses the team any more. */
#define GEX_FLAG_GLOBALLY_QUIESCED (1u << 29)

/* gex_Client_Init. USES_GASNET1: the client also calls gasnet_* functions.
 * DEFER_THREADS: the client starts the library's threads itself. */
#define GEX_FLAG_USES_GASNET1 (1u << 30)
#define GEX_FLAG_DEFER_THREADS (1u << 31)

/* gex_AM_Entry_t: the category and the direction of a handler's messages. Each
 * entry has one category and one direction. */
#define GEX_FLAG_AM_SHORT (1u << 0)
#define GEX_FLAG_AM_MEDIUM (1u << 1)
#define GEX_FLAG_AM_LONG (1u << 2)
#define GEX_FLAG_AM_MEDLONG (GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_LONG)
#define GEX_FLAG_AM_REQUEST (1u << 3)
#define GEX_FLAG_AM_REPLY (1u << 4)
#define GEX_FLAG_AM_REQREP (GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_REPLY)

/* gex_EP_Create: hints to use the network's hardware. The library ignores
   them. */
#define GEX_FLAG_HINT_ACCEL_AD (1u << 0)
#define GEX_FLAG_HINT_ACCEL_COLL (1u << 1)
#define GEX_FLAG_HINT_ACCEL_ALL \
  (GEX_FLAG_HINT_ACCEL_AD | GEX_FLAG_HINT_ACCEL_COLL)

#endif /* _GEX_FWD_H */
