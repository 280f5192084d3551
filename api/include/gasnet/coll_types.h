/* Collectives: handles, images, teams, and flags with the rules that they
 * stand for (notes on collectives: handles, synchronization modes, bulk data
 * reuse, data segment, single-valued arguments).
 */
#ifndef GASNET_COLL_TYPES_H_
#define GASNET_COLL_TYPES_H_

#include "gasnet/abi.h"

/* A collective operation under way, of either family. Belongs to the node, or
 * to the image where a node has several: any of its threads may sync it, one
 * at a time. Dead once it is synced. */
typedef struct gasneti_coll_op *gasnet_coll_handle_t;
typedef gasnet_coll_handle_t gasnet_all_handle_t;
/* The handle of what is complete already: all bits zero. */
#define GASNET_COLL_INVALID_HANDLE GASNETI_CAST(gasnet_coll_handle_t, NULL)
#define GASNET_ALL_INVALID_HANDLE GASNET_COLL_INVALID_HANDLE

/* Number of an image: a thread that takes part by itself. Images of a team are
 * numbered from 0, node by node in the order of the team. Unless
 * gasnet_coll_init says otherwise each node is one image, of its own number. */
typedef uint32_t gasnet_image_t;

/* A set of nodes, in an order of its own. */
typedef struct gasneti_team *gasnet_team_handle_t;

/* A function that reductions use: results[i] = left[i] op right[i] for i in
 * [0, result_count); left_count is the same number. Elements have elem_size
 * bytes; flags are those of its entry in the table, arg that of the call.
 * results may be left. Must be associative; it need not be commutative: left
 * always stands for lower images than right. Called from main-line code with
 * many elements at once, with no lock held, possibly by any thread of this
 * node, and for parts of the vectors in any order; it calls nothing of GASNet.
 * All three are aligned as elements of an array that malloc returns, the first
 * one or another, and where sources and destinations of the call are less
 * aligned, as those are. */
typedef void (*gasnet_coll_reduce_fn_t)(void *results, size_t result_count,
                                        const void *left, size_t left_count,
                                        const void *right, size_t elem_size,
                                        int flags, int arg);
typedef struct {
  gasnet_coll_reduce_fn_t fnptr;
  unsigned flags;
} gasnet_coll_fn_entry_t;
/* Index into the table of gasnet_coll_init. */
typedef unsigned gasnet_coll_fn_handle_t;

/* Flags. An operation is given one of IN, one of OUT, and one of SINGLE and
 * LOCAL; nine combinations of synchronisation, each of them with both ways of
 * addressing. Debug builds end the job where one is missing or given twice; in
 * others a missing one is ALLSYNC and LOCAL, and of several the strongest
 * holds. An image, where nodes have several, is what is called a node here.
 *
 * When data may first move. A block moves from one node to another; the areas
 * of a node are what it gives as source and destination.
 *   IN_NOSYNC   once any node has entered the call
 *   IN_MYSYNC   to and from a node's areas once that node has entered
 *   IN_ALLSYNC  once all nodes have entered; nothing is read or written before
 */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)

/* When an operation may be synced on a node, and so when memory may be used
 * again: until then sources must not be written, and destinations neither read
 * nor written.
 *   OUT_NOSYNC   when this node's destinations are written. When the last node
 *                has synced, all movement is over: then, and not before, memory
 *                may be used again.
 *   OUT_MYSYNC   when all movement to and from this node's areas is over, so
 *                that its memory may be used again
 *   OUT_ALLSYNC  when all movement of all nodes is over: memory of all nodes
 *                may be used again when any has synced
 * Lists (of addresses, nodes, sizes) stay as they are until the sync on the
 * node that gave them, in all three. */
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)

/* The addresses that a node gives: all nodes the same, and right for all (an
 * address where there is one, a list of all blocks where there is a list);
 * or each its own, and others' addresses are ignored. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)

/* Promises that the destinations, or the sources, that this node gives lie in
 * segments. A node may give them where others do not. Debug builds check. */
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)

/* The same for those who write gasnet_all_*. */
#define GASNET_ALL_IN_NOSYNC GASNET_COLL_IN_NOSYNC
#define GASNET_ALL_IN_MYSYNC GASNET_COLL_IN_MYSYNC
#define GASNET_ALL_IN_ALLSYNC GASNET_COLL_IN_ALLSYNC
#define GASNET_ALL_OUT_NOSYNC GASNET_COLL_OUT_NOSYNC
#define GASNET_ALL_OUT_MYSYNC GASNET_COLL_OUT_MYSYNC
#define GASNET_ALL_OUT_ALLSYNC GASNET_COLL_OUT_ALLSYNC
#define GASNET_ALL_SINGLE GASNET_COLL_SINGLE
#define GASNET_ALL_LOCAL GASNET_COLL_LOCAL
#define GASNET_ALL_DST_IN_SEGMENT GASNET_COLL_DST_IN_SEGMENT
#define GASNET_ALL_SRC_IN_SEGMENT GASNET_COLL_SRC_IN_SEGMENT

#endif /* GASNET_COLL_TYPES_H_ */
