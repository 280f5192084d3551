/* Register-memory transfers (spec 3.4). The rules of extended.h hold. nbytes is
 * 1..SIZEOF_GASNET_REGISTER_VALUE_T. */
#ifndef GASNET_VALUE_H_
#define GASNET_VALUE_H_

#include "gasnet/extended.h"

GASNETI_EXTERN_C_BEGIN

/* Puts the nbytes low-order bytes of value (spec 3.4.1.1); blocking. */
GASNETI_INLINE void gasnet_put_val(gasnet_node_t node, void *dest,
                                   gasnet_register_value_t value,
                                   size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, dest, &local))
    gasneti_complete_store(local, gasneti_low_bytes(&value, nbytes), nbytes);
  else
    gasneti_put_val(node, dest, value, nbytes);
}
/* Like gasnet_put_val, but returns a handle that syncs the put. */
GASNETI_INLINE gasnet_handle_t gasnet_put_nb_val(gasnet_node_t node, void *dest,
                                                 gasnet_register_value_t value,
                                                 size_t nbytes) {
  unsigned char *local;
  if (!gasneti_mapped(node, dest, &local))
    return gasneti_put_nb_val(node, dest, value, nbytes);
  gasneti_store(local, gasneti_low_bytes(&value, nbytes), nbytes);
  return GASNETI_STORED_HANDLE;
}
/* Like gasnet_put_val, but the put is synced as an implicit-handle put. */
GASNETI_INLINE void gasnet_put_nbi_val(gasnet_node_t node, void *dest,
                                       gasnet_register_value_t value,
                                       size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, dest, &local))
    gasneti_store(local, gasneti_low_bytes(&value, nbytes), nbytes);
  else
    gasneti_put_nbi_val(node, dest, value, nbytes);
}

/* Gets nbytes bytes as an integer, zero-extended (spec 3.4.2.1). */
GASNETI_INLINE gasnet_register_value_t gasnet_get_val(gasnet_node_t node,
                                                      const void *src,
                                                      size_t nbytes) {
  unsigned char *local;
  gasnet_register_value_t value = 0;
  if (!gasneti_mapped(node, src, &local))
    return gasneti_get_val(node, src, nbytes);
  gasneti_load(gasneti_low_bytes(&value, nbytes), local, nbytes);
  return value;
}

/* gasnet_get_nb_val starts a get of nbytes bytes as an integer and returns a
 * handle. gasnet_wait_syncnb_valget waits for the value and returns it. The
 * thread that started the get must call gasnet_wait_syncnb_valget exactly once
 * for each handle (spec 3.4.3.1). */
gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, const void *src,
                                         size_t nbytes);
gasnet_register_value_t gasnet_wait_syncnb_valget(
    gasnet_valget_handle_t handle);

GASNETI_EXTERN_C_END

#endif /* GASNET_VALUE_H_ */
