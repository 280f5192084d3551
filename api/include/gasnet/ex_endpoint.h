/* GASNet-EX: endpoints and segments. Queries of one object, and calls for
 * clients' data, are legal anywhere. Other calls are legal in main-line code
 * only. flags are 0 unless a comment says otherwise. */
#ifndef GASNET_EX_ENDPOINT_H_
#define GASNET_EX_ENDPOINT_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* Set and return the client's data of an object, initially NULL. */
void gex_EP_SetCData(gex_EP_t ep, const void *val);
void *gex_EP_QueryCData(gex_EP_t ep);
void gex_Segment_SetCData(gex_Segment_t seg, const void *val);
void *gex_Segment_QueryCData(gex_Segment_t seg);

/* Return, of an endpoint: its client; the flags that it was made with; its
 * segment, or GEX_SEGMENT_INVALID; its index. */
gex_Client_t gex_EP_QueryClient(gex_EP_t ep);
gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep);
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep);
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep);

/* Makes an endpoint with these capabilities, with no segment and in no team.
 * The endpoint gets the lowest free index. Returns GASNET_OK;
 * GASNET_ERR_RESOURCE if there would be more than GASNET_MAXEPS endpoints;
 * GASNET_ERR_BAD_ARG for a capability that is not supported. An error leaves
 * *ep_p unchanged. flags: 0 or GEX_FLAG_HINT_ACCEL_*. */
int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client,
                  gex_EP_Capabilities_t capabilities, gex_Flags_t flags);

/* Destroys an endpoint that gex_EP_Create made. The endpoint must be in no
 * team, and no process may use it at the time of the call. Its index may be
 * reused. flags: 0. This call is an extension of the specification. */
void gex_EP_Destroy(gex_EP_t ep, gex_Flags_t flags);

/* Registers numentries handlers with an endpoint. The call is not collective; a
 * message may arrive only after the call that registers its handler. The call
 * may be made again, and by several threads. Entries with an index are
 * registered first. Then each entry with the index 0, in order of the table,
 * gets the highest free index; the index is written to the entry. The table may
 * be freed after the call. Returns GASNET_OK; GASNET_ERR_BAD_ARG for an index
 * below GEX_AM_INDEX_BASE, wrong flags, too many arguments or an entry without
 * a function; GASNET_ERR_RESOURCE for an index in use. A call that returns an
 * error registers nothing. */
int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table,
                            size_t numentries);

/* Binds a segment to an endpoint that has no segment. (gex_Segment_Attach binds
 * the segment of the primordial endpoint.) Returns GASNET_OK,
 * GASNET_ERR_BAD_ARG or GASNET_ERR_RESOURCE. */
int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags);

/* Publishes the segments of the endpoints in eps, so that the members of tm can
 * reach these segments. The call is collective over tm: each member lists its
 * own endpoints. The endpoints must be idle. Returns GASNET_OK or
 * GASNET_ERR_RESOURCE. */
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t num_eps,
                               gex_Flags_t flags);

/* Asks for the segment of the endpoint (tm, rank). Once the event is synced,
 * the results are stored. *owneraddr_p is the segment's address in the owner's
 * process. *localaddr_p is its address in this process, or NULL if it is not
 * mapped. *size_p is its size. Each pointer may be NULL. A size of 0 means that
 * the endpoint has no segment, or that this process does not know the segment.
 * With GEX_FLAG_IMMEDIATE the call is legal anywhere and never communicates: it
 * returns GEX_EVENT_INVALID if the answer is known, else GEX_EVENT_NO_OP. */
gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank,
                                       void **owneraddr_p, void **localaddr_p,
                                       uintptr_t *size_p,
                                       gex_Flags_t flags) GASNETI_MUST_USE;

/* Queries the segment of (tm, rank) like gex_EP_QueryBoundSegmentNB, but waits
 * for the answer. Returns 0. If there is no segment, returns nonzero and stores
 * nothing. Deprecated. Legal in main-line code only. */
int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p,
                           void **localaddr_p, uintptr_t *size_p);

/* Return the client, the flags, the address and the size in bytes of a
 * segment. */
gex_Client_t gex_Segment_QueryClient(gex_Segment_t seg);
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t seg);
void *gex_Segment_QueryAddr(gex_Segment_t seg);
uintptr_t gex_Segment_QuerySize(gex_Segment_t seg);

/* Makes a segment of size bytes for the primordial endpoint, and makes it known
 * to all processes. The call is collective over tm, the team of all, and acts
 * as a barrier. It is made at most once, and never after gasnet_init. size is a
 * multiple of GASNET_PAGESIZE, not 0, at most gasnet_getMaxLocalSegmentSize(),
 * and may differ by process. Under GASNET_SEGMENT_EVERYTHING the call is only a
 * barrier, and sets *segment_p to GEX_SEGMENT_INVALID. Returns GASNET_OK;
 * GASNET_ERR_BAD_ARG for a wrong size; GASNET_ERR_RESOURCE. */
int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size);

/* A function of the client, or NULL (the initial value). The library calls it
 * with the address and size of this process's segment as soon as the segment
 * exists. The call that makes the segment returns only afterwards. */
extern void (*gasnet_client_attach_hook)(void *, uintptr_t);

/* Makes a segment of length bytes that is bound to no endpoint. If address is
 * NULL, the library provides the memory. Otherwise the memory is the client's,
 * at address. Returns GASNET_OK; GASNET_ERR_BAD_ARG for a wrong kind, address
 * or length; GASNET_ERR_RESOURCE. An error leaves *segment_p unchanged. */
int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client,
                       gex_Addr_t address, uintptr_t length, gex_MK_t kind,
                       gex_Flags_t flags);

/* Destroys a segment that gex_Segment_Create made. No process may use the
 * segment at the time of the call. Endpoints to which the segment was bound
 * have no segment afterwards, and may get another one. */
void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_ENDPOINT_H_ */
