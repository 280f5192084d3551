/* Collectives over all nodes with blocks of different sizes, in bytes. A size
 * may be 0. Blocks of one area follow each other without gaps, in order of
 * nodes. Lists of sizes have an entry for each node of the job and must not
 * change until the sync. The sender and the receiver of a block must give the
 * same size for it; anything else is fatal. Otherwise the rules of all_moves.h
 * hold.
 */
#ifndef GASNET_ALL_SIZES_H_
#define GASNET_ALL_SIZES_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* Copies block i of src of srcnode to dst of node i. The block has srcbytes[i]
 * bytes; nbytes on node i is the same size. Only the root reads src and
 * srcbytes. */
void gasnet_all_scatterv(void *dst, size_t nbytes, gasnet_node_t srcnode,
                         const void *src, const size_t srcbytes[], int flags);
gasnet_all_handle_t gasnet_all_scatterv_nb(void *dst, size_t nbytes,
                                           gasnet_node_t srcnode,
                                           const void *src,
                                           const size_t srcbytes[], int flags);

/* Copies src of node i to block i of dst of dstnode. The block has nbytes bytes
 * on node i; dstbytes[i] is the same size. Only the root reads dstbytes and
 * writes dst. */
void gasnet_all_gatherv(gasnet_node_t dstnode, void *dst,
                        const size_t dstbytes[], const void *src, size_t nbytes,
                        int flags);
gasnet_all_handle_t gasnet_all_gatherv_nb(gasnet_node_t dstnode, void *dst,
                                          const size_t dstbytes[],
                                          const void *src, size_t nbytes,
                                          int flags);

/* Copies src of node i to block i of every dst. The block has nbytes bytes on
 * node i; dstbytes[i] is the same size. All nodes give the same dstbytes. */
void gasnet_all_gather_allv(void *dst, const size_t dstbytes[], const void *src,
                            size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_gather_allv_nb(void *dst,
                                              const size_t dstbytes[],
                                              const void *src, size_t nbytes,
                                              int flags);

/* Copies block j of src of node i to block i of dst of node j. Its size is
 * srcbytes[j] on node i and, equally, dstbytes[i] on node j. */
void gasnet_all_exchangev(void *dst, const size_t dstbytes[], const void *src,
                          const size_t srcbytes[], int flags);
gasnet_all_handle_t gasnet_all_exchangev_nb(void *dst, const size_t dstbytes[],
                                            const void *src,
                                            const size_t srcbytes[], int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_ALL_SIZES_H_ */
