/* The collectives of all_moves.h with any number of blocks on a node, each at
 * its own address. Uses are threads that share a node, segments at different
 * addresses, and unequal contributions in units of nbytes (notes on
 * collectives: two-flavors interface, "i").
 *
 * listlen is the length of each list of the call.
 *   GASNET_ALL_LOCAL   Each list describes the blocks of the calling node.
 *                      These are blocks [rank, rank + listlen) of nblocks.
 *                      Each of the nblocks blocks is in the range of exactly
 *                      one node. nodelist is ignored. broadcasti ignores rank
 *                      and nblocks; the others ignore rank if listlen is 0.
 *   GASNET_ALL_SINGLE  Each list describes all blocks and is the same on all
 *                      nodes. Block k is on node nodelist[k]. rank and nblocks
 *                      are ignored.
 *
 * A node that has no block still calls. The job ends with an error if the
 * ranges leave a block out or cover one twice, or if a given node does not
 * exist. In all other respects these functions are like the forms without "i"
 * in all_moves.h, with block numbers in place of nodes.
 */
#ifndef GASNET_ALL_INDEXED_H_
#define GASNET_ALL_INDEXED_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* Copies the nbytes bytes at src of srcnode to every dst. A dst of the root may
 * be src. */
void gasnet_all_broadcasti(const gasnet_node_t nodelist[],
                           void *const dstlist[], gasnet_node_t srcnode,
                           void *src, size_t listlen, size_t nbytes,
                           size_t rank, size_t nblocks, int flags);
gasnet_all_handle_t gasnet_all_broadcasti_nb(const gasnet_node_t nodelist[],
                                             void *const dstlist[],
                                             gasnet_node_t srcnode, void *src,
                                             size_t listlen, size_t nbytes,
                                             size_t rank, size_t nblocks,
                                             int flags);

/* Copies block k of src on srcnode to the dst of block k, for every k. src
 * holds all blocks of the call. */
void gasnet_all_scatteri(const gasnet_node_t nodelist[], void *const dstlist[],
                         gasnet_node_t srcnode, void *src, size_t listlen,
                         size_t nbytes, size_t rank, size_t nblocks, int flags);
gasnet_all_handle_t gasnet_all_scatteri_nb(const gasnet_node_t nodelist[],
                                           void *const dstlist[],
                                           gasnet_node_t srcnode, void *src,
                                           size_t listlen, size_t nbytes,
                                           size_t rank, size_t nblocks,
                                           int flags);

/* Copies the src of block k to block k of dst on dstnode, for every k. dst has
 * room for all blocks of the call. */
void gasnet_all_gatheri(gasnet_node_t dstnode, void *dst,
                        const gasnet_node_t nodelist[], void *const srclist[],
                        size_t listlen, size_t nbytes, size_t rank,
                        size_t nblocks, int flags);
gasnet_all_handle_t gasnet_all_gatheri_nb(gasnet_node_t dstnode, void *dst,
                                          const gasnet_node_t nodelist[],
                                          void *const srclist[], size_t listlen,
                                          size_t nbytes, size_t rank,
                                          size_t nblocks, int flags);

/* Copies the src of block k to block k of every dst, for every k. Each dst has
 * nblocks * nbytes bytes. */
void gasnet_all_gather_alli(const gasnet_node_t nodelist[],
                            void *const dstlist[], void *const srclist[],
                            size_t listlen, size_t nbytes, size_t rank,
                            size_t nblocks, int flags);
gasnet_all_handle_t gasnet_all_gather_alli_nb(const gasnet_node_t nodelist[],
                                              void *const dstlist[],
                                              void *const srclist[],
                                              size_t listlen, size_t nbytes,
                                              size_t rank, size_t nblocks,
                                              int flags);

/* Copies block j of the src of block k to block k of the dst of block j, for
 * all j and k. Each dst and each src has nblocks * nbytes bytes. */
void gasnet_all_exchangei(const gasnet_node_t nodelist[], void *const dstlist[],
                          void *const srclist[], size_t listlen, size_t nbytes,
                          size_t rank, size_t nblocks, int flags);
gasnet_all_handle_t gasnet_all_exchangei_nb(const gasnet_node_t nodelist[],
                                            void *const dstlist[],
                                            void *const srclist[],
                                            size_t listlen, size_t nbytes,
                                            size_t rank, size_t nblocks,
                                            int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_ALL_INDEXED_H_ */
