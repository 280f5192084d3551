/* GASNet-EX: handles, structures and constants beyond gasnet_fwd.h. This header
 * needs no threading mode.
 *
 * The comments of GASNet-EX name the contexts in which a call is legal. The
 * specification's name is in parentheses:
 * - anywhere: after gex_Client_Init; also in handlers, with a handler-safe lock
 *   held, and between Prepare and Commit or Cancel (ANY)
 * - request handlers: in a request's handler that holds no lock (REQ)
 * - main-line code: outside handlers, with no handler-safe lock held, and not
 *   between Prepare and Commit or Cancel (NORM)
 */
#ifndef GASNET_EX_TYPES_H_
#define GASNET_EX_TYPES_H_

#include "gasnet/abi.h"
#include "gasnet/types.h"
#include "gasnet_fwd.h"

/* The handles of objects. They may be copied and compared. A handle with all
 * bits zero names no object. */
typedef struct gasneti_client *gex_Client_t;
typedef struct gasneti_ep *gex_EP_t;
typedef struct gasneti_segment *gex_Segment_t;
typedef struct gasneti_mk *gex_MK_t;
#define GEX_CLIENT_INVALID GASNETI_CAST(gex_Client_t, NULL)
#define GEX_EP_INVALID GASNETI_CAST(gex_EP_t, NULL)
#define GEX_SEGMENT_INVALID GASNETI_CAST(gex_Segment_t, NULL)
#define GEX_MK_INVALID GASNETI_CAST(gex_MK_t, NULL)
/* The kind of ordinary memory. It is a constant and not an object. */
#define GEX_MK_HOST GASNETI_BIT_CAST(gex_MK_t, GASNETI_CAST(uintptr_t, 1))

/* A team together with its local member, or a pair of endpoints
   (gex_TM_Pair). */
typedef struct gasneti_tm *gex_TM_t;
#define GEX_TM_INVALID GASNETI_CAST(gex_TM_t, NULL)

#define GEX_EP_INDEX_INVALID GASNETI_CAST(gex_EP_Index_t, 0xffff)

/* A message with a negotiated payload that is not sent yet. The message belongs
 * to the thread that prepared it. */
typedef struct gasneti_sd *gex_AM_SrcDesc_t;
#define GEX_AM_SRCDESC_NO_OP GASNETI_CAST(gex_AM_SrcDesc_t, NULL)

/* These types are the same as those of GASNet-1. */
typedef gasnet_token_t gex_Token_t;
typedef gasnet_handler_t gex_AM_Index_t;
typedef gasnet_handlerarg_t gex_AM_Arg_t;
typedef gasnet_register_value_t gex_RMA_Value_t;
#define SIZEOF_GEX_RMA_VALUE_T 8
typedef gasnet_hsl_t gex_HSL_t;
#define GEX_HSL_INITIALIZER GASNET_HSL_INITIALIZER

/* A piece of memory, laid out as gasnet_memvec_t. */
typedef struct {
  void *gex_addr;
  size_t gex_len; /* bytes */
} gex_Memvec_t;

/* A handler of any signature. Clients cast their handlers to this type:
 *   Short         void (gex_Token_t, gex_AM_Arg_t...)
 *   Medium, Long  void (gex_Token_t, void *, size_t, gex_AM_Arg_t...)
 */
#ifndef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
typedef void (*gex_AM_Fn_t)();
#ifndef __cplusplus
#pragma GCC diagnostic pop
#endif

/* The lowest index of a client's handler; the highest one is 255. */
#define GEX_AM_INDEX_BASE 128

/* A handler to register (gex_EP_RegisterHandlers). */
typedef struct {
  /* GEX_AM_INDEX_BASE..255; 0: the library chooses */
  gex_AM_Index_t gex_index;
  gex_AM_Fn_t gex_fnptr;
  gex_Flags_t gex_flags;  /* GEX_FLAG_AM_*: a category and a direction */
  unsigned int gex_nargs; /* of every message, 0..gex_AM_MaxArgs() */
  const void *gex_cdata;  /* the client's; may be NULL */
  const char *gex_name;   /* may be NULL */
} gex_AM_Entry_t;

/* Facts about the message being handled (gex_Token_Info), and the bits that
 * select them. All these facts are known in every handler. */
typedef uint32_t gex_TI_t;
#define GEX_TI_SRCRANK (1u << 0)
#define GEX_TI_EP (1u << 1)
#define GEX_TI_ENTRY (1u << 2)
#define GEX_TI_IS_REQ (1u << 3)
#define GEX_TI_IS_LONG (1u << 4)
#define GEX_TI_ALL \
  (GEX_TI_SRCRANK | GEX_TI_EP | GEX_TI_ENTRY | GEX_TI_IS_REQ | GEX_TI_IS_LONG)
typedef struct {
  gex_Rank_t gex_srcrank; /* the sender's jobrank */
  gex_EP_t gex_ep;        /* the endpoint that received it */
  /* The entry that registered the handler. The client must not change the
   * entry. If gasnet_attach registered the handler, only the index and the
   * function are set. */
  const gex_AM_Entry_t *gex_entry;
  int gex_is_req;  /* 1 in a request's handler, else 0 */
  int gex_is_long; /* 1 for a Long, else 0 */
} gex_Token_Info_t;

/* One process in a neighbourhood or on a host. */
typedef const struct gasneti_rank_info {
  gex_Rank_t gex_jobrank;
} gex_RankInfo_t;

/* Sets of events of the implicit operations of a thread: see ex_event.h. */
typedef uint32_t gex_EC_t;
#define GEX_EC_GET (1u << 0)
#define GEX_EC_PUT (1u << 1)
#define GEX_EC_AM (1u << 2)
#define GEX_EC_LC (1u << 3)
#define GEX_EC_RMW (1u << 4)
#define GEX_EC_ALL \
  (GEX_EC_GET | GEX_EC_PUT | GEX_EC_AM | GEX_EC_LC | GEX_EC_RMW)

/* A thread of the library. A client with GEX_FLAG_DEFER_THREADS starts it. The
 * thread calls gex_progress_fn(gex_progress_arg), which does not return. */
#define GEX_THREAD_ROLE_RCV (1u << 0) /* may run the client's handlers */
#define GEX_THREAD_ROLE_SND (1u << 1) /* runs no handlers of clients */
typedef struct {
  const char *gex_device_list; /* names, separated by commas */
  unsigned int gex_thread_roles;
  void *(*gex_progress_fn)(void *);
  void *gex_progress_arg;
} gex_ProgressThreadInfo_t;

/* Reports that the source of a put or message may be reused. If [lc_opt] is
 * an event's address, stores an event that has already happened at this
 * address. */
GASNETI_INLINE void gasneti_source_read(gex_Event_t *lc_opt) {
  if (GASNETI_BIT_CAST(uintptr_t, lc_opt) >
      GASNETI_BIT_CAST(uintptr_t, GEX_EVENT_GROUP))
    *lc_opt = GEX_EVENT_INVALID;
}

#endif /* GASNET_EX_TYPES_H_ */
