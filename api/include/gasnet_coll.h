/* Collective operations: what programs use to start. gasnet.h includes this.
 *
 * Every node calls the same collectives in the same order, one thread of it at
 * a time, with the same root, nbytes and flags. A collective operation is
 * complete on a node when its call returns. Illegal in handlers, in
 * no-interrupt sections and while a handler-safe lock is held; may run
 * handlers.
 *
 * An image is a part of a node that takes part by itself; here each node is one
 * image, of the same number.
 */
#ifndef GASNET_COLL_H_
#define GASNET_COLL_H_

#include "gasnet/abi.h"

GASNETI_EXTERN_C_BEGIN

typedef uint32_t gasnet_image_t;

/* A set of nodes. */
typedef struct gasneti_team *gasnet_team_handle_t;
/* All of the job. */
#define GASNET_TEAM_ALL gasneti_team_all
extern const gasnet_team_handle_t gasneti_team_all;

/* A function that reductions use: results[i] = left[i] op right[i]. */
typedef void (*gasnet_coll_reduce_fn_t)(void *results, size_t result_count,
                                        const void *left, size_t left_count,
                                        const void *right, size_t elem_size,
                                        int flags, int arg);
typedef struct {
  gasnet_coll_reduce_fn_t fnptr;
  unsigned flags;
} gasnet_coll_fn_entry_t;

/* When data may first move: as soon as any node has entered, as soon as the
 * nodes that it moves between have, when all have. One of them. */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)

/* When a call may return: at any time, when this node's data have moved, when
 * all nodes' have. One of them. */
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)

/* All nodes give the same addresses, or each its own. One of them. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)

/* Promises that the destinations, or the source, lie in segments. */
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)

/* Prepares for collectives; once, after gasnet_attach and before any other.
 * images: how many images each node has, or NULL for one each; more than one is
 *   fatal, and so is none.
 * my_image: this node's number; ignored when images is NULL.
 * fn_tbl, fn_count: functions for reductions; NULL and 0 for none.
 * init_flags: 0. */
void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image,
                      gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count,
                      int init_flags);

/* Copies nbytes bytes at src of image srcimg to dst of every image, its own
 * included. dst is read on every node, src on srcimg's alone; both are
 * addresses of the node that gives them and may lie anywhere in its memory.
 * They must not overlap, unless they coincide. nbytes may be 0 and has no
 * limit. No data move before all nodes have entered, whatever flags say. Nodes
 * that disagree on nbytes, or on GASNET_COLL_OUT_ALLSYNC, are a fatal error;
 * nodes that disagree on srcimg may wait for ever. */
void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst,
                           gasnet_image_t srcimg, void *src, size_t nbytes,
                           int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_COLL_H_ */
