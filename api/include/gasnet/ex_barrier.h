/* GASNet-EX: the barrier of a team. gasnet_coll.h has other collectives. */
#ifndef GASNET_EX_BARRIER_H_
#define GASNET_EX_BARRIER_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* Starts a barrier of tm. tm must be a team and not a pair. The event happens
 * once all members have made the matching call. All members start the
 * collectives of a team in the same order, by one thread of a process at a
 * time. Any number of barriers may be under way. The start is a release, the
 * sync an acquire. No gasnet_barrier_* may be under way at the same time as a
 * barrier of the team of all. flags: 0. Legal in main-line code only. */
gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags) GASNETI_MUST_USE;

/* Like gex_Coll_BarrierNB, but returns once all members have called. */
void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_BARRIER_H_ */
