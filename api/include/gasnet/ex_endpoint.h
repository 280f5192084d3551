/* GASNet-EX: endpoints and segments. Queries of one object, and calls for
 * clients' data, are legal anywhere; other calls in main-line code only. flags
 * are 0 unless a comment says otherwise. */
#ifndef GASNET_EX_ENDPOINT_H_
#define GASNET_EX_ENDPOINT_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* Set and return the client's data of an object, initially NULL. */
void gex_EP_SetCData(gex_EP_t ep, const void *val);
void *gex_EP_QueryCData(gex_EP_t ep);
void gex_Segment_SetCData(gex_Segment_t seg, const void *val);
void *gex_Segment_QueryCData(gex_Segment_t seg);

/* Return the client of an endpoint; the flags that it was made with; its
 * segment, or GEX_SEGMENT_INVALID; its index. */
gex_Client_t gex_EP_QueryClient(gex_EP_t ep);
gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep);
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep);
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep);

/* Makes an endpoint with these capabilities, with no segment and in no team.
 * Its index is the lowest that is free. Returns GASNET_OK; GASNET_ERR_RESOURCE
 * if there would be more than GASNET_MAXEPS; GASNET_ERR_BAD_ARG for a
 * capability that is not supported. An error leaves *ep_p as it is. flags: 0 or
 * GEX_FLAG_HINT_ACCEL_*. */
int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client,
                  gex_EP_Capabilities_t capabilities, gex_Flags_t flags);

/* Destroys an endpoint of gex_EP_Create. It is in no team, and no process uses
 * it any more. Its index may be reused. flags: 0. This call is an extension:
 * the specification has none that destroys endpoints. */
void gex_EP_Destroy(gex_EP_t ep, gex_Flags_t flags);

/* Registers numentries handlers with an endpoint. Not collective; a message may
 * arrive only after the call that registers its handler. May be called again,
 * and by several threads. Entries with an index come first. Then each entry
 * with the index 0, in order of the table, gets the highest index that is free;
 * it is written to the entry. The table may then be freed. Returns GASNET_OK;
 * GASNET_ERR_BAD_ARG for an index below GEX_AM_INDEX_BASE, wrong flags, too
 * many arguments or an entry without a function; GASNET_ERR_RESOURCE for an
 * index in use. An error registers nothing. */
int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table,
                            size_t numentries);

/* Binds a segment to an endpoint that has none. gex_Segment_Attach does so for
 * the primordial endpoint. Returns GASNET_OK, GASNET_ERR_BAD_ARG or
 * GASNET_ERR_RESOURCE. */
int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags);

/* Lets the members of tm reach the segments of all endpoints that they list
 * here. Collective over tm. The endpoints must be idle. Returns GASNET_OK or
 * GASNET_ERR_RESOURCE. */
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t num_eps,
                               gex_Flags_t flags);

/* Asks for the segment of the endpoint (tm, rank). Once the event is synced,
 * *owneraddr_p is its address there, *localaddr_p its address here or NULL if
 * it is not mapped, and *size_p its size; each pointer may be NULL. A size of 0
 * means that there is none, or that it is not known here. With
 * GEX_FLAG_IMMEDIATE the call is legal anywhere and never communicates: it
 * returns GEX_EVENT_INVALID if the answer is known, else GEX_EVENT_NO_OP. */
gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank,
                                       void **owneraddr_p, void **localaddr_p,
                                       uintptr_t *size_p,
                                       gex_Flags_t flags) GASNETI_MUST_USE;

/* Does the same and waits. Returns 0; or returns nonzero and stores nothing.
 * Deprecated. Legal in main-line code only. */
int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p,
                           void **localaddr_p, uintptr_t *size_p);

/* Return the client, the flags, the address and the size in bytes of a
 * segment. */
gex_Client_t gex_Segment_QueryClient(gex_Segment_t seg);
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t seg);
void *gex_Segment_QueryAddr(gex_Segment_t seg);
uintptr_t gex_Segment_QuerySize(gex_Segment_t seg);

/* Makes a segment of size bytes for the primordial endpoint, and makes it known
 * to all processes. Collective over tm, the team of all: a barrier. Called at
 * most once, and never after gasnet_init. size is a multiple of
 * GASNET_PAGESIZE, not 0, at most gasnet_getMaxLocalSegmentSize(), and may
 * differ by process. Under GASNET_SEGMENT_EVERYTHING it is only a barrier, and
 * sets GEX_SEGMENT_INVALID. Returns GASNET_OK; GASNET_ERR_BAD_ARG for a wrong
 * size; GASNET_ERR_RESOURCE. */
int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size);

/* The client's function, or NULL (the initial value). It is called with the
 * address and size of this process's segment once that exists, before the call
 * that makes the segment returns. */
extern void (*gasnet_client_attach_hook)(void *, uintptr_t);

/* Makes a segment of length bytes that is bound to no endpoint. It is the
 * client's memory at address, or memory of the library's if address is NULL.
 * Returns GASNET_OK; GASNET_ERR_BAD_ARG for a wrong kind, address or length;
 * GASNET_ERR_RESOURCE. An error leaves *segment_p as it is. */
int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client,
                       gex_Addr_t address, uintptr_t length, gex_MK_t kind,
                       gex_Flags_t flags);

/* Destroys a segment of gex_Segment_Create. No process uses it any more.
 * Endpoints that it was bound to have none afterwards, and may get another
 * one. */
void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_ENDPOINT_H_ */
