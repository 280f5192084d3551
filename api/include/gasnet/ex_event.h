/* GASNet-EX: events and implicit operations. All calls are legal in main-line
 * code only. flags are 0.
 *
 * A call that starts an operation returns a root event, which stands for the
 * whole operation. A root is synced exactly once, by any thread, unless it is
 * GEX_EVENT_INVALID. An operation may also have leaf events for its parts, such
 * as local completion. A leaf is synced before its root or not at all. Tests
 * never serve the network. Waits serve the network even if everything is
 * complete.
 */
#ifndef GASNET_EX_EVENT_H_
#define GASNET_EX_EVENT_H_

#include "gasnet/ex_types.h"
#include "gasnet/sync.h"

GASNETI_EXTERN_C_BEGIN

int gasneti_gex_Event_Test(gex_Event_t event);

/* If the event has happened, returns 0, and the event is then invalid.
 * Otherwise returns nonzero. */
GASNETI_INLINE int gex_Event_Test(gex_Event_t event) {
  return gasneti_sync_stored(event) ? 0 : gasneti_gex_Event_Test(event);
}

/* Waits until the event has happened. */
void gex_Event_Wait(gex_Event_t event);

/* Test or wait like the two calls above, for the events of an array. Some: for
 * at least one of them. All: for all of them. Entries of events that have
 * happened become GEX_EVENT_INVALID, even if the test fails. Invalid entries
 * are ignored; if there are no other entries, the calls succeed. */
int gex_Event_TestSome(gex_Event_t *pevent, size_t numevents,
                       gex_Flags_t flags);
void gex_Event_WaitSome(gex_Event_t *pevent, size_t numevents,
                        gex_Flags_t flags);
int gex_Event_TestAll(gex_Event_t *pevent, size_t numevents, gex_Flags_t flags);
void gex_Event_WaitAll(gex_Event_t *pevent, size_t numevents,
                       gex_Flags_t flags);

/* Returns the leaf of root for one GEX_EC_*. If that leaf has happened already,
 * returns GEX_EVENT_INVALID or some other event that has happened. */
gex_Event_t gex_Event_QueryLeaf(gex_Event_t root,
                                gex_EC_t event_category) GASNETI_MUST_USE;

/* Open and close an access region of this thread. gex_NBI_EndAccessRegion
 * returns one event. It syncs all implicit operations that the thread started
 * inside the region. Regions do not nest. */
void gex_NBI_BeginAccessRegion(gex_Flags_t flags);
gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags) GASNETI_MUST_USE;

/* Sync this thread's implicit operations that were started outside access
 * regions. Test returns 0 if all are complete, else nonzero. event_mask is an
 * OR of
 * - GEX_EC_GET: gets, and atomics with the operation GET,
 * - GEX_EC_PUT: puts, and atomics with the operation SET,
 * - GEX_EC_RMW: other atomics,
 * - GEX_EC_AM: local completion of messages with GEX_EVENT_GROUP,
 * - GEX_EC_LC: local completion of puts with GEX_EVENT_GROUP.
 *
 * Illegal inside an access region. */
int gex_NBI_Test(gex_EC_t event_mask, gex_Flags_t flags);
void gex_NBI_Wait(gex_EC_t event_mask, gex_Flags_t flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_EVENT_H_ */
