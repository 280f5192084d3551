/* Collective operations. gasnet.h includes this header. It also compiles alone,
 * and before or after gasnet.h or gasnetex.h.
 *
 * gasnet/ex_coll.h has the collectives of GASNet-EX, and their rules. The other
 * collectives form two families. The families share one engine and one type of
 * handle, and may be mixed at will:
 * - gasnet_coll_*: the functions that GASNet-1 programs use: over teams, among
 *   images
 * - gasnet_all_*: the functions of the specification's notes: over all nodes,
 *   one call a node, with lists of addresses, lists of partners, reductions and
 *   more
 *
 * Rules of both families except the sync functions:
 * - Every node calls the same operations in the same order, one thread of a
 *   node at a time, with the same root, nbytes and flags (except DST_IN_SEGMENT
 *   and SRC_IN_SEGMENT). If a node detects arguments that differ, the job ends
 *   with a message that has both values.
 * - Calls are legal after gasnet_coll_init, in main-line code: not in handlers,
 *   not while a handler-safe lock is held or in no-interrupt sections, and not
 *   between gasnet_barrier_notify and the wait or try that ends the barrier.
 *   Operations must be synced before a later gasnet_barrier_notify.
 *   gasnet_exit is legal with operations under way.
 * - Calls may run handlers. An operation advances in every GASNet function that
 *   polls or waits, on every node.
 * - Memory may lie anywhere: in segments, on heap or stack, and sources in
 *   read-only pages. It may have any alignment, except for operands of
 *   computations.
 * - nbytes may be 0. Then nothing moves, but the nodes synchronise as the flags
 *   say. The only limit is that of size_t for all blocks together.
 * - A blocking form is its "_nb" form followed by gasnet_coll_wait_sync.
 *
 * The parts, in reading order: gasnet/coll_types.h (flags: when data may move
 * and when memory may be reused), coll_teams.h, coll_moves.h, coll_sync.h;
 * all_moves.h, all_indexed.h, all_pairs.h, all_sizes.h, all_compute.h.
 */
#ifndef GASNET_COLL_H_
#define GASNET_COLL_H_

/* gasnetex.h comes first because its configuration says whether inlined calls
   are checked. */
#if defined(GASNET_SEQ) || defined(GASNET_PARSYNC) || defined(GASNET_PAR)
#include "gasnetex.h"
#endif
#include "gasnet/abi.h"

#include "gasnet/coll_types.h"

#include "gasnet/coll_moves.h"
#include "gasnet/coll_sync.h"
#include "gasnet/coll_teams.h"

#include "gasnet/all_compute.h"
#include "gasnet/all_indexed.h"
#include "gasnet/all_moves.h"
#include "gasnet/all_pairs.h"
#include "gasnet/all_sizes.h"

#include "gasnet/ex_coll.h"

#endif /* GASNET_COLL_H_ */
