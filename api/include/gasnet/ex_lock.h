/* GASNet-EX: handler-safe locks. These are the locks of atomicity.h; that
 * header has the rules. Legal anywhere. */
#ifndef GASNET_EX_LOCK_H_
#define GASNET_EX_LOCK_H_

#include "gasnet/atomicity.h"
#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

GASNETI_INLINE void gex_HSL_Init(gex_HSL_t *hsl) { gasnet_hsl_init(hsl); }
GASNETI_INLINE void gex_HSL_Destroy(gex_HSL_t *hsl) { gasnet_hsl_destroy(hsl); }
GASNETI_INLINE void gex_HSL_Lock(gex_HSL_t *hsl) { gasnet_hsl_lock(hsl); }
GASNETI_INLINE void gex_HSL_Unlock(gex_HSL_t *hsl) { gasnet_hsl_unlock(hsl); }
/* Acquires the lock if it is free and returns GASNET_OK; otherwise returns
   GASNET_ERR_NOT_READY. */
GASNETI_INLINE int gex_HSL_Trylock(gex_HSL_t *hsl) {
  return gasnet_hsl_trylock(hsl);
}

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_LOCK_H_ */
