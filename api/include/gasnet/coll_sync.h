/* Collectives: the functions that sync handles (notes on collectives:
 * synchronization calls). The families gasnet_coll_* and gasnet_all_* have
 * separate names for these functions. Each function takes handles of both
 * families.
 *
 * Syncing is not collective; nodes sync in any order. An operation can be
 * synced on a node as soon as its OUT flag allows. Each handle is synced once,
 * by one thread. The functions are legal in main-line code, in the same places
 * as gasnet_wait_syncnb. Other threads may start or sync operations at the same
 * time. The functions may run handlers.
 */
#ifndef GASNET_COLL_SYNC_H_
#define GASNET_COLL_SYNC_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* Waits until the operation can be synced, and syncs it. Returns at once for
 * the invalid handle. */
void gasnet_coll_wait_sync(gasnet_coll_handle_t handle);

/* Syncs the operation if that is possible now and returns GASNET_OK. Otherwise
 * returns GASNET_ERR_NOT_READY, and the handle stays valid. Serves the network
 * once. */
int gasnet_coll_try_sync(gasnet_coll_handle_t handle);

/* Sync n handles, like gasnet_wait_syncnb_all and similar functions (spec
 * 3.3.1). Invalid handles are ignored. Each synced handle is overwritten by
 * GASNET_COLL_INVALID_HANDLE.
 *
 *   wait_sync_all   waits for all operations, and syncs them
 *   try_sync_all    syncs the operations that are complete; returns GASNET_OK
 *                   if all are, and otherwise GASNET_ERR_NOT_READY
 *   wait_sync_some  waits until at least one operation is complete, and syncs
 *                   all that are complete by then; returns at once if all
 *                   handles are invalid
 *   try_sync_some   syncs the operations that are complete; returns GASNET_OK
 *                   if at least one is or if all handles are invalid, and
 *                   otherwise GASNET_ERR_NOT_READY
 */
void gasnet_coll_wait_sync_all(gasnet_coll_handle_t *handles, size_t n);
int gasnet_coll_try_sync_all(gasnet_coll_handle_t *handles, size_t n);
void gasnet_coll_wait_sync_some(gasnet_coll_handle_t *handles, size_t n);
int gasnet_coll_try_sync_some(gasnet_coll_handle_t *handles, size_t n);

void gasnet_all_wait_sync(gasnet_all_handle_t handle);
int gasnet_all_try_sync(gasnet_all_handle_t handle);
void gasnet_all_wait_sync_all(gasnet_all_handle_t *handles, size_t n);
int gasnet_all_try_sync_all(gasnet_all_handle_t *handles, size_t n);
void gasnet_all_wait_sync_some(gasnet_all_handle_t *handles, size_t n);
int gasnet_all_try_sync_some(gasnet_all_handle_t *handles, size_t n);

GASNETI_EXTERN_C_END

#endif /* GASNET_COLL_SYNC_H_ */
