/* Memory-to-memory and register-memory transfers (spec 3.1 to 3.4).
 *
 * Rules of all transfers:
 * - Remote memory is given as a node and an address in that node's address
 *   space, and must lie in that node's segment. node may be the calling node.
 * - nbytes is in bytes, may be 0 (val functions: 1..8) and has no upper limit.
 * - Calls without _bulk require both addresses aligned for nbytes.
 * - The regions must not overlap, unless they coincide.
 * - The calls are illegal in handlers, in no-interrupt sections and while a
 *   handler-safe lock is held. They may run handlers.
 * - Errors are fatal: one message, then SIGABRT.
 *
 * A get is complete when its data is at the destination. A put is complete when
 * its data is at the target and visible to two kinds of access: gets that any
 * thread of any node issues later, and later loads at the target (spec 3.3.1).
 * Blocking calls return when the transfer is complete. _nb calls return a
 * handle that this thread must sync (GASNET_INVALID_HANDLE: already complete).
 * _nbi calls are synced by the syncnbi functions of the same thread, or by the
 * handle of the access region in which they were started. The source of a put
 * may be reused when the call returns. The source of a non-blocking _bulk put
 * may be reused only once the put is synced.
 *
 * Suppose that two threads each complete a put, and then each thread gets the
 * data that the other thread has put. At least one of them gets the new value.
 * A thread that gets the value of a put also sees everything that the putting
 * thread stored or completed before it started that put. No other order is
 * guaranteed. A non-blocking operation is unordered from its start to its sync,
 * also with other non-blocking operations. Concurrent puts of two threads to
 * one place are not ordered. Nor are the parts of a value larger than a
 * register.
 */
#ifndef GASNET_EXTENDED_H_
#define GASNET_EXTENDED_H_

#include "gasnet/abi.h"
#include "gasnet/platform.h"

GASNETI_EXTERN_C_BEGIN

/* The library functions behind the public calls. They serve memory that is not
 * mapped in this process, and debug builds. */
void gasneti_get(void *dest, gasnet_node_t node, const void *src,
                 size_t nbytes);
void gasneti_put(gasnet_node_t node, void *dest, const void *src,
                 size_t nbytes);
void gasneti_get_bulk(void *dest, gasnet_node_t node, const void *src,
                      size_t nbytes);
void gasneti_put_bulk(gasnet_node_t node, void *dest, const void *src,
                      size_t nbytes);
void gasneti_memset(gasnet_node_t node, void *dest, int val, size_t nbytes);
void gasneti_put_val(gasnet_node_t node, void *dest,
                     gasnet_register_value_t value, size_t nbytes);
gasnet_register_value_t gasneti_get_val(gasnet_node_t node, const void *src,
                                        size_t nbytes);
gasnet_handle_t gasneti_get_nb(void *dest, gasnet_node_t node, const void *src,
                               size_t nbytes);
gasnet_handle_t gasneti_put_nb(gasnet_node_t node, void *dest, const void *src,
                               size_t nbytes);
gasnet_handle_t gasneti_get_nb_bulk(void *dest, gasnet_node_t node,
                                    const void *src, size_t nbytes);
gasnet_handle_t gasneti_put_nb_bulk(gasnet_node_t node, void *dest,
                                    const void *src, size_t nbytes);
gasnet_handle_t gasneti_memset_nb(gasnet_node_t node, void *dest, int val,
                                  size_t nbytes);
void gasneti_get_nbi(void *dest, gasnet_node_t node, const void *src,
                     size_t nbytes);
void gasneti_put_nbi(gasnet_node_t node, void *dest, const void *src,
                     size_t nbytes);
void gasneti_get_nbi_bulk(void *dest, gasnet_node_t node, const void *src,
                          size_t nbytes);
void gasneti_put_nbi_bulk(gasnet_node_t node, void *dest, const void *src,
                          size_t nbytes);
void gasneti_memset_nbi(gasnet_node_t node, void *dest, int val, size_t nbytes);
gasnet_handle_t gasneti_put_nb_val(gasnet_node_t node, void *dest,
                                   gasnet_register_value_t value,
                                   size_t nbytes);
void gasneti_put_nbi_val(gasnet_node_t node, void *dest,
                         gasnet_register_value_t value, size_t nbytes);

/* Copy to and from mapped memory. A constant nbytes compiles to move
 * instructions. The functions do not call memcpy if nbytes is 0, because then
 * compilers would conclude that the pointers are not null. */
GASNETI_INLINE void gasneti_store(unsigned char *to, const void *from,
                                  size_t nbytes) {
  GASNETI_RELEASE();
  if (nbytes != 0) __builtin_memcpy(to, from, nbytes);
}
GASNETI_INLINE void gasneti_load(void *to, const unsigned char *from,
                                 size_t nbytes) {
  if (nbytes != 0) __builtin_memcpy(to, from, nbytes);
  GASNETI_ACQUIRE();
}
GASNETI_INLINE void gasneti_fill(unsigned char *to, int val, size_t nbytes) {
  GASNETI_RELEASE();
  if (nbytes != 0) __builtin_memset(to, val, nbytes);
}

/* Stores to mapped memory; the put is complete on return. */
GASNETI_INLINE void gasneti_complete_store(unsigned char *to, const void *from,
                                           size_t nbytes) {
  gasneti_store(to, from, nbytes);
  GASNETI_FENCE();
}
GASNETI_INLINE void gasneti_complete_fill(unsigned char *to, int val,
                                          size_t nbytes) {
  gasneti_fill(to, val, nbytes);
  GASNETI_FENCE();
}

/* Returns the address of the nbytes low-order bytes of a register value. */
GASNETI_INLINE unsigned char *gasneti_low_bytes(gasnet_register_value_t *value,
                                                size_t nbytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return GASNETI_BIT_CAST(unsigned char *, value) + sizeof(*value) - nbytes;
#else
  (void)nbytes;
  return GASNETI_BIT_CAST(unsigned char *, value);
#endif
}

/* Returns 1 if a transfer's value should be passed to the out-of-line call in a
 * register. The out-of-line call is rarely made. If it took the value from
 * memory, compilers would store the value there even when the call is not made.
 */
GASNETI_INLINE int gasneti_is_word(size_t nbytes) {
  return !GASNETI_CALLS && __builtin_constant_p(nbytes) &&
         (nbytes == 1 || nbytes == 2 || nbytes == 4 ||
          nbytes == sizeof(gasnet_register_value_t));
}

/* Blocking transfers (spec 3.2). */

GASNETI_INLINE void gasnet_get(void *dest, gasnet_node_t node, const void *src,
                               size_t nbytes) {
  unsigned char *local;
  const int mapped = gasneti_mapped(node, src, &local);
  gasnet_register_value_t word;
  if (mapped) {
    gasneti_load(dest, local, nbytes);
  } else if (gasneti_is_word(nbytes)) {
    word = gasneti_get_val(node, src, nbytes);
    __builtin_memcpy(dest, gasneti_low_bytes(&word, nbytes), nbytes);
  } else {
    gasneti_get(dest, node, src, nbytes);
  }
}
GASNETI_INLINE void gasnet_put(gasnet_node_t node, void *dest, const void *src,
                               size_t nbytes) {
  unsigned char *local;
  const int mapped = gasneti_mapped(node, dest, &local);
  gasnet_register_value_t word = 0;
  if (gasneti_is_word(nbytes)) {
    unsigned char *const bytes = gasneti_low_bytes(&word, nbytes);
    __builtin_memcpy(bytes, src, nbytes);
    if (mapped)
      gasneti_complete_store(local, bytes, nbytes);
    else
      gasneti_put_val(node, dest, word, nbytes);
  } else if (mapped) {
    gasneti_complete_store(local, src, nbytes);
  } else {
    gasneti_put(node, dest, src, nbytes);
  }
}
GASNETI_INLINE void gasnet_get_bulk(void *dest, gasnet_node_t node,
                                    const void *src, size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, src, &local))
    gasneti_load(dest, local, nbytes);
  else
    gasneti_get_bulk(dest, node, src, nbytes);
}
GASNETI_INLINE void gasnet_put_bulk(gasnet_node_t node, void *dest,
                                    const void *src, size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, dest, &local))
    gasneti_complete_store(local, src, nbytes);
  else
    gasneti_put_bulk(node, dest, src, nbytes);
}
GASNETI_INLINE void gasnet_memset(gasnet_node_t node, void *dest, int val,
                                  size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, dest, &local))
    gasneti_complete_fill(local, val, nbytes);
  else
    gasneti_memset(node, dest, val, nbytes);
}

/* Non-blocking transfers with an explicit handle (spec 3.3.2). */

GASNETI_INLINE gasnet_handle_t gasnet_get_nb(void *dest, gasnet_node_t node,
                                             const void *src, size_t nbytes) {
  unsigned char *local;
  if (!gasneti_mapped(node, src, &local))
    return gasneti_get_nb(dest, node, src, nbytes);
  gasneti_load(dest, local, nbytes);
  return GASNET_INVALID_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void *dest,
                                             const void *src, size_t nbytes) {
  unsigned char *local;
  const int mapped = gasneti_mapped(node, dest, &local);
  gasnet_register_value_t word = 0;
  if (gasneti_is_word(nbytes)) {
    unsigned char *const bytes = gasneti_low_bytes(&word, nbytes);
    __builtin_memcpy(bytes, src, nbytes);
    if (!mapped) return gasneti_put_nb_val(node, dest, word, nbytes);
    gasneti_store(local, bytes, nbytes);
  } else {
    if (!mapped) return gasneti_put_nb(node, dest, src, nbytes);
    gasneti_store(local, src, nbytes);
  }
  return GASNETI_STORED_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_get_nb_bulk(void *dest,
                                                  gasnet_node_t node,
                                                  const void *src,
                                                  size_t nbytes) {
  unsigned char *local;
  if (!gasneti_mapped(node, src, &local))
    return gasneti_get_nb_bulk(dest, node, src, nbytes);
  gasneti_load(dest, local, nbytes);
  return GASNET_INVALID_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node,
                                                  void *dest, const void *src,
                                                  size_t nbytes) {
  unsigned char *local;
  if (!gasneti_mapped(node, dest, &local))
    return gasneti_put_nb_bulk(node, dest, src, nbytes);
  gasneti_store(local, src, nbytes);
  return GASNETI_STORED_HANDLE;
}
GASNETI_INLINE gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest,
                                                int val, size_t nbytes) {
  unsigned char *local;
  if (!gasneti_mapped(node, dest, &local))
    return gasneti_memset_nb(node, dest, val, nbytes);
  gasneti_fill(local, val, nbytes);
  return GASNETI_STORED_HANDLE;
}

/* Non-blocking transfers with an implicit handle (spec 3.3.4). */

GASNETI_INLINE void gasnet_get_nbi(void *dest, gasnet_node_t node,
                                   const void *src, size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, src, &local))
    gasneti_load(dest, local, nbytes);
  else
    gasneti_get_nbi(dest, node, src, nbytes);
}
GASNETI_INLINE void gasnet_put_nbi(gasnet_node_t node, void *dest,
                                   const void *src, size_t nbytes) {
  unsigned char *local;
  const int mapped = gasneti_mapped(node, dest, &local);
  gasnet_register_value_t word = 0;
  if (gasneti_is_word(nbytes)) {
    unsigned char *const bytes = gasneti_low_bytes(&word, nbytes);
    __builtin_memcpy(bytes, src, nbytes);
    if (mapped)
      gasneti_store(local, bytes, nbytes);
    else
      gasneti_put_nbi_val(node, dest, word, nbytes);
  } else if (mapped) {
    gasneti_store(local, src, nbytes);
  } else {
    gasneti_put_nbi(node, dest, src, nbytes);
  }
}
GASNETI_INLINE void gasnet_get_nbi_bulk(void *dest, gasnet_node_t node,
                                        const void *src, size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, src, &local))
    gasneti_load(dest, local, nbytes);
  else
    gasneti_get_nbi_bulk(dest, node, src, nbytes);
}
GASNETI_INLINE void gasnet_put_nbi_bulk(gasnet_node_t node, void *dest,
                                        const void *src, size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, dest, &local))
    gasneti_store(local, src, nbytes);
  else
    gasneti_put_nbi_bulk(node, dest, src, nbytes);
}
GASNETI_INLINE void gasnet_memset_nbi(gasnet_node_t node, void *dest, int val,
                                      size_t nbytes) {
  unsigned char *local;
  if (gasneti_mapped(node, dest, &local))
    gasneti_fill(local, val, nbytes);
  else
    gasneti_memset_nbi(node, dest, val, nbytes);
}

GASNETI_EXTERN_C_END

#include "gasnet/sync.h"
#include "gasnet/value.h"

#endif /* GASNET_EXTENDED_H_ */
