/* Collectives over all nodes whose pattern the nodes make up: puts and gets
 * that know from whom to expect something, so that nodes wait for their
 * partners alone (notes on collectives: generalized collectives).
 *
 * Always with GASNET_ALL_LOCAL; with GASNET_ALL_SINGLE they are fatal in debug
 * builds. nbytes and flags agree on all nodes. Each node says what it moves,
 * any number of blocks of nbytes bytes, and in partnerlist which nodes move
 * something into its memory (put) or out of it (get): a node as often as it
 * has blocks, itself included, in any order. Lists that do not fit each other
 * are fatal where a node can see it, and may hang otherwise. Empty lists are
 * legal; the node calls all the same.
 *
 * Remote addresses (dst of a put, src of a get) lie in segments, also where the
 * node is the caller itself; others are fatal where that is seen. Local ones
 * may be anywhere. For the modes, the areas of a node are what it gives and
 * what partners address on it; as IN_MYSYNC says, none of these is touched
 * before the node has entered. Destinations must not overlap each other, nor a
 * source.
 */
#ifndef GASNET_ALL_PAIRS_H_
#define GASNET_ALL_PAIRS_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* Copies the nbytes bytes at src to dst of dstnode; one such block from every
 * node. */
void gasnet_all_put(gasnet_node_t dstnode, void *dst, void *src,
                    const gasnet_node_t partnerlist[], size_t partnercount,
                    size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_put_nb(gasnet_node_t dstnode, void *dst,
                                      void *src,
                                      const gasnet_node_t partnerlist[],
                                      size_t partnercount, size_t nbytes,
                                      int flags);

/* Copies the nbytes bytes at src of srcnode to dst; one such block to every
 * node. */
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

/* Copies the nbytes bytes at src to dst of dstnode, where dst is what that node
 * gives in its own call. Each node is dstnode of exactly one; other
 * patterns are fatal. Also with GASNET_ALL_SINGLE, with the same dst and src on
 * all nodes. */
void gasnet_all_permute(void *dst, gasnet_node_t dstnode, const void *src,
                        size_t nbytes, int flags);
gasnet_all_handle_t gasnet_all_permute_nb(void *dst, gasnet_node_t dstnode,
                                          const void *src, size_t nbytes,
                                          int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_ALL_PAIRS_H_ */
