/* Collectives: handles, images, teams, and flags with their rules (notes on
 * collectives: handles, synchronization modes, bulk data reuse, data segment,
 * single-valued arguments).
 */
#ifndef GASNET_COLL_TYPES_H_
#define GASNET_COLL_TYPES_H_

#include "gasnet/abi.h"

/* A collective operation under way, of either family. The handle belongs to the
 * node, or to the image if the node has several. Any thread of that node or
 * image may sync the handle, one thread at a time. The handle is invalid once
 * synced. */
typedef struct gasneti_coll_op *gasnet_coll_handle_t;
typedef gasnet_coll_handle_t gasnet_all_handle_t;
/* The handle of an operation that is already complete: all bits zero. */
#define GASNET_COLL_INVALID_HANDLE GASNETI_CAST(gasnet_coll_handle_t, NULL)
#define GASNET_ALL_INVALID_HANDLE GASNET_COLL_INVALID_HANDLE

/* The number of an image. An image is a thread that takes part in collectives
 * by itself. Images of a team are numbered from 0, node by node in the order of
 * the team. Unless gasnet_coll_init says otherwise, each node is one image with
 * the node's number. */
typedef uint32_t gasnet_image_t;

/* A set of nodes. Each team orders its nodes independently. */
typedef struct gasneti_team *gasnet_team_handle_t;

/* A function that reductions use: results[i] = left[i] op right[i] for i in [0,
 * result_count). left_count equals result_count. Elements have elem_size bytes.
 * flags come from the function's entry in the table, arg from the call. results
 * may equal left. The function must be associative but need not be commutative:
 * left always stands for lower images than right. The library calls the
 * function from main-line code with no lock held, for many elements at once, on
 * any thread of this node, and for parts of the vectors in any order. The
 * function must not call GASNet functions. The three addresses are aligned like
 * an element (not only the first) of an array that malloc returns. If the
 * sources and destinations of the collective call are less aligned, so are the
 * three addresses. */
typedef void (*gasnet_coll_reduce_fn_t)(void *results, size_t result_count,
                                        const void *left, size_t left_count,
                                        const void *right, size_t elem_size,
                                        int flags, int arg);
typedef struct {
  gasnet_coll_reduce_fn_t fnptr;
  unsigned flags;
} gasnet_coll_fn_entry_t;
/* Index into the table of functions that gasnet_coll_init got. */
typedef unsigned gasnet_coll_fn_handle_t;

/* Flags. An operation is given one IN flag, one OUT flag, and SINGLE or LOCAL.
 * All nine combinations of IN and OUT are legal, with SINGLE and with LOCAL.
 * Debug builds end the job if a flag of a group is missing or several are
 * given. In other builds the defaults are ALLSYNC and LOCAL, and if several
 * flags of a group are given the strongest holds. If nodes have several images,
 * read "image" for "node" below.
 *
 * The IN flags say when data may first move. The areas of a node are the memory
 * that it gives as source and destination.
 *   IN_NOSYNC   once any node has entered the call
 *   IN_MYSYNC   to and from a node's areas once that node has entered
 *   IN_ALLSYNC  once all nodes have entered; nothing is read or written before
 */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)

/* The OUT flags say when an operation may be synced on a node, and so when its
 * memory may be reused. Until the sync, sources must not be written, and
 * destinations must be neither read nor written.
 * - OUT_NOSYNC: when this node's destinations are written. Memory may be reused
 *   only when the last node has synced, because data may still move until then.
 * - OUT_MYSYNC: when all movement to and from this node's areas is over, so
 *   that its memory may be reused.
 * - OUT_ALLSYNC: when all movement of all nodes is over. Memory of all nodes
 *   may be reused when any node has synced.
 *
 * With each of the three flags, lists (of addresses, nodes, sizes) must not
 * change until the node that gave them has synced. */
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)

/* SINGLE: all nodes give the same addresses (one address, or a list for all
 * blocks), which are valid on all nodes. LOCAL: each node gives its own
 * addresses; arguments for addresses on other nodes are ignored. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)

/* Promise that the destinations (DST) or the sources (SRC) that this node gives
 * lie in segments. The nodes of an operation may differ in these flags. Debug
 * builds check the promise. */
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)

/* The same flags under the names of gasnet_all_*. */
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
