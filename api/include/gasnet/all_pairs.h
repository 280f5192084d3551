/* Collectives over all nodes with a pattern that the nodes define (notes on
 * collectives: generalized collectives). In these puts and gets each node names
 * its partners, and waits only for its partners.
 *
 * These functions require GASNET_ALL_LOCAL; GASNET_ALL_SINGLE is fatal in debug
 * builds. nbytes and flags are the same on all nodes. Each node moves any
 * number of blocks, of nbytes bytes each. In partnerlist it gives the nodes,
 * including itself, that move blocks into its memory (put) or out of its memory
 * (get). A partner is listed once for each block that it moves, in any order.
 * Lists that do not match are fatal if a node detects the mismatch, and may
 * hang the job otherwise. Empty lists are legal; the node still calls.
 *
 * Remote addresses (dst of a put, src of a get) lie in segments, even if the
 * node is the caller itself. A remote address outside a segment is fatal if
 * detected. Local addresses may be anywhere. A node's areas (coll_types.h) are
 * those that it gives and those that partners address on it. So with IN_MYSYNC
 * none of these areas is accessed before the node has entered. Destinations
 * must not overlap each other or a source.
 */
#ifndef GASNET_ALL_PAIRS_H_
#define GASNET_ALL_PAIRS_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* Copies the nbytes bytes at src to dst of dstnode. Every node copies one such
 * block. */
void gasnet_all_put(gasnet_node_t dstnode, void *dst, void *src,
                    const gasnet_node_t partnerlist[], size_t partnercount,
                    size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_put_nb(gasnet_node_t dstnode, void *dst,
                                      void *src,
                                      const gasnet_node_t partnerlist[],
                                      size_t partnercount, size_t nbytes,
                                      int flags);

/* Copies the nbytes bytes at src of srcnode to dst. Every node gets one such
 * block. */
void gasnet_all_get(void *dst, gasnet_node_t srcnode, void *src,
                    const gasnet_node_t partnerlist[], size_t partnercount,
                    size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_get_nb(void *dst, gasnet_node_t srcnode,
                                      void *src,
                                      const gasnet_node_t partnerlist[],
                                      size_t partnercount, size_t nbytes,
                                      int flags);

/* Copies the nbytes bytes at srclist[i] to dstlist[i] of nodelist[i], for i in
 * [0, listlen). */
void gasnet_all_puti(const gasnet_node_t nodelist[], void *const dstlist[],
                     void *const srclist[], size_t listlen,
                     const gasnet_node_t partnerlist[], size_t partnercount,
                     size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_puti_nb(const gasnet_node_t nodelist[],
                                       void *const dstlist[],
                                       void *const srclist[], size_t listlen,
                                       const gasnet_node_t partnerlist[],
                                       size_t partnercount, size_t nbytes,
                                       int flags);

/* Copies the nbytes bytes at srclist[i] of nodelist[i] to dstlist[i], for i in
 * [0, listlen). */
void gasnet_all_geti(void *const dstlist[], const gasnet_node_t nodelist[],
                     void *const srclist[], size_t listlen,
                     const gasnet_node_t partnerlist[], size_t partnercount,
                     size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_geti_nb(void *const dstlist[],
                                       const gasnet_node_t nodelist[],
                                       void *const srclist[], size_t listlen,
                                       const gasnet_node_t partnerlist[],
                                       size_t partnercount, size_t nbytes,
                                       int flags);

/* Copies the nbytes bytes at src to the dst that dstnode gives in its own call.
 * Each node is the dstnode of exactly one node; other patterns are fatal. Also
 * legal with GASNET_ALL_SINGLE, with the same dst and src on all nodes. */
void gasnet_all_permute(void *dst, gasnet_node_t dstnode, const void *src,
                        size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_permute_nb(void *dst, gasnet_node_t dstnode,
                                          const void *src, size_t nbytes,
                                          int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_ALL_PAIRS_H_ */
