/* Collectives over all nodes that move data; each node makes one call (notes on
 * collectives: two-flavors interface). gasnet_coll.h has the rules of all
 * collectives, and coll_types.h the flags.
 *
 * There is one block of nbytes bytes for each node, in order of nodes. The
 * functions ignore images (gasnet_coll_init). Blocks of one area follow each
 * other without gaps. A root (srcnode or dstnode) that is not a node of the job
 * is fatal. Arguments that only the root uses are ignored on other nodes. With
 * GASNET_ALL_SINGLE all nodes give the same addresses; this requires aligned
 * segments.
 *
 * A node's source and destination may coincide if the function's comment says
 * so. Otherwise they must not overlap; debug builds check this.
 */
#ifndef GASNET_ALL_MOVES_H_
#define GASNET_ALL_MOVES_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* Copies the nbytes bytes at src of srcnode to dst of every node, the root
 * included. On the root dst may be src. */
void gasnet_all_broadcast(void *dst, gasnet_node_t srcnode, void *src,
                          size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_broadcast_nb(void *dst, gasnet_node_t srcnode,
                                            void *src, size_t nbytes,
                                            int flags);

/* Copies block i of src of srcnode to dst of node i. On the root, dst may be
 * the root's own block of src. */
void gasnet_all_scatter(void *dst, gasnet_node_t srcnode, void *src,
                        size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_scatter_nb(void *dst, gasnet_node_t srcnode,
                                          void *src, size_t nbytes, int flags);

/* Copies src of node i to block i of dst of dstnode. On the root, src may be
 * the root's own block of dst. */
void gasnet_all_gather(gasnet_node_t dstnode, void *dst, void *src,
                       size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_gather_nb(gasnet_node_t dstnode, void *dst,
                                         void *src, size_t nbytes, int flags);

/* Copies src of node i to block i of every dst. src may be the node's own block
 * of dst. */
void gasnet_all_gather_all(void *dst, void *src, size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_gather_all_nb(void *dst, void *src,
                                             size_t nbytes, int flags);

/* Copies block j of src of node i to block i of dst of node j. */
void gasnet_all_exchange(void *dst, void *src, size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_exchange_nb(void *dst, void *src, size_t nbytes,
                                           int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_ALL_MOVES_H_ */
