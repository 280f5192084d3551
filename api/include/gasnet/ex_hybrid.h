/* GASNet-EX: the call for programs that use both GASNet-1 and GASNet-EX. */
#ifndef GASNET_EX_HYBRID_H_
#define GASNET_EX_HYBRID_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* Stores the objects that the gasnet_* functions use: their client, endpoint,
 * team of all, and segment (GEX_SEGMENT_INVALID before the segment exists).
 * Each pointer may be NULL. Legal anywhere after gasnet_init or
 * gex_Client_Init. */
void gasnet_QueryGexObjects(gex_Client_t *client_p, gex_EP_t *endpoint_p,
                            gex_TM_t *tm_p, gex_Segment_t *segment_p);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_HYBRID_H_ */
