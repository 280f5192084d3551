/* Programs that use both interfaces. */
#ifndef GASNET_EX_HYBRID_H_
#define GASNET_EX_HYBRID_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* Sets the client whose process may call gasnet_* functions, its endpoint, its
 * team of all, and its segment, or GEX_SEGMENT_INVALID before there is one.
 * Each pointer may be NULL. Legal anywhere after gasnet_init or
 * gex_Client_Init. */
void gasnet_QueryGexObjects(gex_Client_t *client_p, gex_EP_t *endpoint_p,
                            gex_TM_t *tm_p, gex_Segment_t *segment_p);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_HYBRID_H_ */
