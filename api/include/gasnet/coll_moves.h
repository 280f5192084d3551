/* Collectives over a team, among images: data movement, and reductions by
 * functions. gasnet_coll.h has the rules of all collectives, and coll_types.h
 * the flags.
 *
 * Each image of the team calls with its own addresses. There is one block of
 * nbytes bytes for each image, in order of images. A root (srcimg or dstimg) is
 * an image of the team. Arguments that only the root uses are ignored on other
 * images. Blocks of one area follow each other without gaps.
 *
 * In forms that take one address, GASNET_COLL_SINGLE says that the address is
 * the same on all images. The M forms take lists of addresses, indexed by
 * image. With GASNET_COLL_LOCAL a list has the addresses of all images of the
 * calling node, in order. With GASNET_COLL_SINGLE a list has the addresses of
 * all images of the team. Each image calls the M forms too. All images of a
 * node give the same arguments; the call uses the arguments of one image.
 *
 * Source and destination may coincide if the function's comment says so. Other
 * areas of a node must not overlap; debug builds check this. A root that is not
 * an image of the team is fatal. A team that the node is not in is fatal too.
 */
#ifndef GASNET_COLL_MOVES_H_
#define GASNET_COLL_MOVES_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* Copies the nbytes bytes at src of srcimg to dst of every image, the root
 * included. On the root dst may be src. */
void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst,
                           gasnet_image_t srcimg, void *src, size_t nbytes,
                           int flags);
gasnet_coll_handle_t gasnet_coll_broadcast_nb(gasnet_team_handle_t team,
                                              void *dst, gasnet_image_t srcimg,
                                              void *src, size_t nbytes,
                                              int flags);
void gasnet_coll_broadcastM(gasnet_team_handle_t team, void *const dstlist[],
                            gasnet_image_t srcimg, void *src, size_t nbytes,
                            int flags);
gasnet_coll_handle_t gasnet_coll_broadcastM_nb(gasnet_team_handle_t team,
                                               void *const dstlist[],
                                               gasnet_image_t srcimg, void *src,
                                               size_t nbytes, int flags);

/* Copies block i of src of srcimg to dst of image i. On the root, dst may be
 * the root's own block of src. */
void gasnet_coll_scatter(gasnet_team_handle_t team, void *dst,
                         gasnet_image_t srcimg, void *src, size_t nbytes,
                         int flags);
gasnet_coll_handle_t gasnet_coll_scatter_nb(gasnet_team_handle_t team,
                                            void *dst, gasnet_image_t srcimg,
                                            void *src, size_t nbytes,
                                            int flags);
void gasnet_coll_scatterM(gasnet_team_handle_t team, void *const dstlist[],
                          gasnet_image_t srcimg, void *src, size_t nbytes,
                          int flags);
gasnet_coll_handle_t gasnet_coll_scatterM_nb(gasnet_team_handle_t team,
                                             void *const dstlist[],
                                             gasnet_image_t srcimg, void *src,
                                             size_t nbytes, int flags);

/* Copies src of image i to block i of dst of dstimg. On the root, src may be
 * the root's own block of dst. */
void gasnet_coll_gather(gasnet_team_handle_t team, gasnet_image_t dstimg,
                        void *dst, void *src, size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gather_nb(gasnet_team_handle_t team,
                                           gasnet_image_t dstimg, void *dst,
                                           void *src, size_t nbytes, int flags);
void gasnet_coll_gatherM(gasnet_team_handle_t team, gasnet_image_t dstimg,
                         void *dst, void *const srclist[], size_t nbytes,
                         int flags);
gasnet_coll_handle_t gasnet_coll_gatherM_nb(gasnet_team_handle_t team,
                                            gasnet_image_t dstimg, void *dst,
                                            void *const srclist[],
                                            size_t nbytes, int flags);

/* Copies src of image i to block i of every dst. src may be the image's own
 * block of dst. */
void gasnet_coll_gather_all(gasnet_team_handle_t team, void *dst, void *src,
                            size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gather_all_nb(gasnet_team_handle_t team,
                                               void *dst, void *src,
                                               size_t nbytes, int flags);
void gasnet_coll_gather_allM(gasnet_team_handle_t team, void *const dstlist[],
                             void *const srclist[], size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_gather_allM_nb(gasnet_team_handle_t team,
                                                void *const dstlist[],
                                                void *const srclist[],
                                                size_t nbytes, int flags);

/* Copies block j of src of image i to block i of dst of image j. */
void gasnet_coll_exchange(gasnet_team_handle_t team, void *dst, void *src,
                          size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_exchange_nb(gasnet_team_handle_t team,
                                             void *dst, void *src,
                                             size_t nbytes, int flags);
void gasnet_coll_exchangeM(gasnet_team_handle_t team, void *const dstlist[],
                           void *const srclist[], size_t nbytes, int flags);
gasnet_coll_handle_t gasnet_coll_exchangeM_nb(gasnet_team_handle_t team,
                                              void *const dstlist[],
                                              void *const srclist[],
                                              size_t nbytes, int flags);

/* Combines the vectors at src of all images, element by element, and stores the
 * result in dst of dstimg. Each vector has elem_count elements of elem_size
 * bytes. func is the index of the combining function in the table that
 * gasnet_coll_init got. func_arg is passed on to the function.
 *
 *     dst[i] = src0[i] op src1[i] op src2[i] ... in order of images
 *
 * The bracketing depends only on the number of images. So results have the same
 * bits in every run, on every network and with any placement. src_blksz and
 * src_offset have no effect. src is not written. On the root dst may be src.
 * Addresses must be aligned as the function needs them. An index without a
 * function is fatal. */
void gasnet_coll_reduce(gasnet_team_handle_t team, gasnet_image_t dstimg,
                        void *dst, void *src, size_t src_blksz,
                        size_t src_offset, size_t elem_size, size_t elem_count,
                        gasnet_coll_fn_handle_t func, int func_arg, int flags);
gasnet_coll_handle_t gasnet_coll_reduce_nb(
    gasnet_team_handle_t team, gasnet_image_t dstimg, void *dst, void *src,
    size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
    gasnet_coll_fn_handle_t func, int func_arg, int flags);
void gasnet_coll_reduceM(gasnet_team_handle_t team, gasnet_image_t dstimg,
                         void *dst, void *const srclist[], size_t src_blksz,
                         size_t src_offset, size_t elem_size, size_t elem_count,
                         gasnet_coll_fn_handle_t func, int func_arg, int flags);
gasnet_coll_handle_t gasnet_coll_reduceM_nb(gasnet_team_handle_t team,
                                            gasnet_image_t dstimg, void *dst,
                                            void *const srclist[],
                                            size_t src_blksz, size_t src_offset,
                                            size_t elem_size, size_t elem_count,
                                            gasnet_coll_fn_handle_t func,
                                            int func_arg, int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_COLL_MOVES_H_ */
