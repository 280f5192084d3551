/* Synchronisation of non-blocking transfers (spec 3.3.3, 3.3.5, 3.3.6).
 *
 * A handle belongs to the thread that started the operation and is invalid once
 * synced. The handles of puts to mapped memory may all be equal. Waits serve
 * the network even if all operations are already complete. In that case a wait
 * serves messages from other hosts only if no thread has polled in the last 5
 * us. The functions are illegal in handlers, in no-interrupt sections and while
 * a handler-safe lock is held.
 */
#ifndef GASNET_SYNC_H_
#define GASNET_SYNC_H_

#include "gasnet/abi.h"

GASNETI_EXTERN_C_BEGIN

void gasneti_wait_syncnb(gasnet_handle_t handle);
int gasneti_try_syncnb(gasnet_handle_t handle);
int gasneti_try_syncnb_nopoll(gasnet_handle_t handle);

/* If the handle has no operation record, syncs stored puts and returns 1.
 * Otherwise returns 0. Always returns 0 with GASNETI_CALLS. */
GASNETI_INLINE int gasneti_sync_stored(gasnet_handle_t handle) {
  if (GASNETI_CALLS ||
      (handle != GASNETI_STORED_HANDLE && handle != GASNET_INVALID_HANDLE))
    return 0;
  if (handle == GASNETI_STORED_HANDLE) GASNETI_FENCE();
  return 1;
}

/* Waits until the operation is complete (spec 3.3.3.1). GASNET_INVALID_HANDLE
 * is complete. */
GASNETI_INLINE void gasnet_wait_syncnb(gasnet_handle_t handle) {
  gasneti_wait_syncnb(handle);
}

/* Returns GASNET_OK if the operation is complete; the handle is then invalid.
 * Otherwise returns GASNET_ERR_NOT_READY. */
GASNETI_INLINE int gasnet_try_syncnb(gasnet_handle_t handle) {
  return gasneti_sync_stored(handle) ? GASNET_OK : gasneti_try_syncnb(handle);
}

/* Wait for, or try, all valid handles of an array (spec 3.3.3.2). Entries with
 * complete operations become GASNET_INVALID_HANDLE, even if try returns
 * GASNET_ERR_NOT_READY. */
void gasnet_wait_syncnb_all(gasnet_handle_t *handles, size_t numhandles);
int gasnet_try_syncnb_all(gasnet_handle_t *handles, size_t numhandles);

/* Wait for, or try, at least one valid handle of an array (spec 3.3.3.3). If
 * there is no valid handle, the functions succeed at once. */
void gasnet_wait_syncnb_some(gasnet_handle_t *handles, size_t numhandles);
int gasnet_try_syncnb_some(gasnet_handle_t *handles, size_t numhandles);

/* Act like the three try functions above, but do not serve the network. No
 * handler runs. An operation completes only if another thread polls, or if the
 * network completes it without a poll.
 */
GASNETI_INLINE int gasnet_try_syncnb_nopoll(gasnet_handle_t handle) {
  return gasneti_sync_stored(handle) ? GASNET_OK
                                     : gasneti_try_syncnb_nopoll(handle);
}
int gasnet_try_syncnb_all_nopoll(gasnet_handle_t *handles, size_t numhandles);
int gasnet_try_syncnb_some_nopoll(gasnet_handle_t *handles, size_t numhandles);

/* Sync this thread's implicit-handle gets, puts (including memsets and value
 * puts), or both. Only operations that were started outside access regions are
 * synced (spec 3.3.5.1). try returns GASNET_OK or GASNET_ERR_NOT_READY. Illegal
 * inside an access region. */
void gasnet_wait_syncnbi_gets(void);
void gasnet_wait_syncnbi_puts(void);
void gasnet_wait_syncnbi_all(void);
int gasnet_try_syncnbi_gets(void);
int gasnet_try_syncnbi_puts(void);
int gasnet_try_syncnbi_all(void);

/* Open and close an access region (spec 3.3.6.1). gasnet_end_nbi_accessregion
 * returns one handle. It syncs all implicit-handle operations that this thread
 * started inside the region. Regions do not nest. */
void gasnet_begin_nbi_accessregion(void);
gasnet_handle_t gasnet_end_nbi_accessregion(void);

GASNETI_EXTERN_C_END

#endif /* GASNET_SYNC_H_ */
