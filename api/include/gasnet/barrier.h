/* Split-phase barriers over all nodes (spec 3.5).
 *
 * Only one thread of a node at a time may be in these functions; notify and
 * wait may be called by different threads. A barrier does not synchronise data
 * transfers. The functions are illegal in handlers, in no-interrupt sections
 * and while a handler-safe lock is held.
 */
#ifndef GASNET_BARRIER_H_
#define GASNET_BARRIER_H_

#include "gasnet/abi.h"

GASNETI_EXTERN_C_BEGIN

/* Announces that this node has reached the barrier, and does not wait (spec
 * 3.5.0.1). The flags are
 * - 0 for a barrier named id,
 * - GASNET_BARRIERFLAG_ANONYMOUS for a barrier without a name,
 * - GASNET_BARRIERFLAG_UNNAMED for a barrier without a name, if all nodes give
 *   this flag,
 * - GASNET_BARRIERFLAG_MISMATCH to make every node's wait report a mismatch.
 *
 * Each notify must be followed by a completed wait before the next notify.
 * Otherwise the second notify changes nothing and causes one warning; in debug
 * builds it is fatal. */
void gasnet_barrier_notify(int id, int flags);

/* Waits until all nodes have notified (spec 3.5.0.2). Returns GASNET_OK, or
 * GASNET_ERR_BARRIER_MISMATCH when id or flags differ from this node's notify,
 * two nodes gave different names, or a node forced a mismatch. With
 * GASNET_BARRIER_FLAGS=relaxed in the environment, flags may differ. A named
 * wait then matches an anonymous barrier or a barrier with the same name; an
 * anonymous wait matches any barrier. A wait without a preceding notify is
 * fatal. The call serves the network while it waits. If it need not wait, it
 * serves the network once. */
int gasnet_barrier_wait(int id, int flags);

/* If all nodes have notified, acts like gasnet_barrier_wait. Otherwise changes
 * nothing and returns GASNET_ERR_NOT_READY (spec 3.5.0.3). Serves the network
 * once. */
int gasnet_barrier_try(int id, int flags);

/* Performs both phases: a notify and a wait. */
int gasnet_barrier(int id, int flags);

/* Asks for the name of the last barrier that this node completed. If any node
 * gave a name, stores the name in *id and returns 0. Returns nonzero if that
 * barrier was anonymous or a mismatch, or if this node has completed no
 * barrier. Illegal between a notify and its wait. */
int gasnet_barrier_result(int *id);

GASNETI_EXTERN_C_END

#endif /* GASNET_BARRIER_H_ */
