/* GASNet-EX: vector, indexed and strided puts and gets. This header needs no
 * threading mode.
 *
 * gasnet_vis.h says how pieces make up the two sides of a transfer. The peer is
 * (tm, rank); tm is a team or a pair. NB forms return a root event. NBI and
 * blocking forms return 0. With GEX_FLAG_IMMEDIATE an NB form may return
 * GEX_EVENT_NO_OP, and another form nonzero; then the call has done nothing.
 * Until the operation is complete the source must not change, the destination
 * must not be read, and the lists of pieces must stay unchanged. The arrays of
 * a strided call are read before the call returns.
 *
 * With GEX_FLAG_ENABLE_LEAF_LC a put's source may be reused at local
 * completion. NB forms then have a leaf for local completion
 * (gex_Event_QueryLeaf with GEX_EC_LC); NBI forms are synced with GEX_EC_LC.
 *
 * The calls are legal in main-line code only.
 */
#ifndef GASNET_EX_VIS_H_
#define GASNET_EX_VIS_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* Vector: pieces of any length. */

gex_Event_t gex_VIS_VectorPutNB(gex_TM_t tm, gex_Rank_t dstrank,
                                size_t dstcount, gex_Memvec_t const dstlist[],
                                size_t srccount, gex_Memvec_t const srclist[],
                                gex_Flags_t flags) GASNETI_MUST_USE;
int gex_VIS_VectorPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                         gex_Memvec_t const dstlist[], size_t srccount,
                         gex_Memvec_t const srclist[], gex_Flags_t flags);
int gex_VIS_VectorPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                              gex_Memvec_t const dstlist[], size_t srccount,
                              gex_Memvec_t const srclist[], gex_Flags_t flags);
gex_Event_t gex_VIS_VectorGetNB(gex_TM_t tm, size_t dstcount,
                                gex_Memvec_t const dstlist[],
                                gex_Rank_t srcrank, size_t srccount,
                                gex_Memvec_t const srclist[],
                                gex_Flags_t flags) GASNETI_MUST_USE;
int gex_VIS_VectorGetNBI(gex_TM_t tm, size_t dstcount,
                         gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
                         size_t srccount, gex_Memvec_t const srclist[],
                         gex_Flags_t flags);
int gex_VIS_VectorGetBlocking(gex_TM_t tm, size_t dstcount,
                              gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
                              size_t srccount, gex_Memvec_t const srclist[],
                              gex_Flags_t flags);

/* Indexed: the destination has dstcount pieces of dstlen bytes, the source
 * has srccount pieces of srclen bytes. The lists have the addresses of the
 * pieces. */

gex_Event_t gex_VIS_IndexedPutNB(gex_TM_t tm, gex_Rank_t dstrank,
                                 size_t dstcount, void *const dstlist[],
                                 size_t dstlen, size_t srccount,
                                 void *const srclist[], size_t srclen,
                                 gex_Flags_t flags) GASNETI_MUST_USE;
int gex_VIS_IndexedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                          void *const dstlist[], size_t dstlen, size_t srccount,
                          void *const srclist[], size_t srclen,
                          gex_Flags_t flags);
int gex_VIS_IndexedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                               void *const dstlist[], size_t dstlen,
                               size_t srccount, void *const srclist[],
                               size_t srclen, gex_Flags_t flags);
gex_Event_t gex_VIS_IndexedGetNB(gex_TM_t tm, size_t dstcount,
                                 void *const dstlist[], size_t dstlen,
                                 gex_Rank_t srcrank, size_t srccount,
                                 void *const srclist[], size_t srclen,
                                 gex_Flags_t flags) GASNETI_MUST_USE;
int gex_VIS_IndexedGetNBI(gex_TM_t tm, size_t dstcount, void *const dstlist[],
                          size_t dstlen, gex_Rank_t srcrank, size_t srccount,
                          void *const srclist[], size_t srclen,
                          gex_Flags_t flags);
int gex_VIS_IndexedGetBlocking(gex_TM_t tm, size_t dstcount,
                               void *const dstlist[], size_t dstlen,
                               gex_Rank_t srcrank, size_t srccount,
                               void *const srclist[], size_t srclen,
                               gex_Flags_t flags);

/* Strided: count[0] * count[1] * ... elements of elemsz contiguous bytes each,
 * in stridelevels dimensions. On each side, element (i0, i1, ...) lies at i0 *
 * strides[0] + i1 * strides[1] + ... bytes after the side's address. Strides
 * may be negative, may be 0 in a source, and may be in any order of size. An
 * elemsz or count of 0 makes the transfer empty. */

gex_Event_t gex_VIS_StridedPutNB(gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr,
                                 const ptrdiff_t dststrides[], void *srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz,
                                 const size_t count[], size_t stridelevels,
                                 gex_Flags_t flags) GASNETI_MUST_USE;
int gex_VIS_StridedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr,
                          const ptrdiff_t dststrides[], void *srcaddr,
                          const ptrdiff_t srcstrides[], size_t elemsz,
                          const size_t count[], size_t stridelevels,
                          gex_Flags_t flags);
int gex_VIS_StridedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr,
                               const ptrdiff_t dststrides[], void *srcaddr,
                               const ptrdiff_t srcstrides[], size_t elemsz,
                               const size_t count[], size_t stridelevels,
                               gex_Flags_t flags);
gex_Event_t gex_VIS_StridedGetNB(gex_TM_t tm, void *dstaddr,
                                 const ptrdiff_t dststrides[],
                                 gex_Rank_t srcrank, void *srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz,
                                 const size_t count[], size_t stridelevels,
                                 gex_Flags_t flags) GASNETI_MUST_USE;
int gex_VIS_StridedGetNBI(gex_TM_t tm, void *dstaddr,
                          const ptrdiff_t dststrides[], gex_Rank_t srcrank,
                          void *srcaddr, const ptrdiff_t srcstrides[],
                          size_t elemsz, const size_t count[],
                          size_t stridelevels, gex_Flags_t flags);
int gex_VIS_StridedGetBlocking(gex_TM_t tm, void *dstaddr,
                               const ptrdiff_t dststrides[], gex_Rank_t srcrank,
                               void *srcaddr, const ptrdiff_t srcstrides[],
                               size_t elemsz, const size_t count[],
                               size_t stridelevels, gex_Flags_t flags);

/* Sets the peer completion handler of this thread's next put. The next put must
 * be a call of this header without GEX_FLAG_IMMEDIATE. Once its data has
 * arrived, the handler runs at the peer like the handler of a Medium reply. It
 * gets no arguments and the nbytes bytes at source_addr. These bytes must not
 * change until the source of the put may be reused. handler 0 removes the
 * setting. flags: 0. Deprecated. */
void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler,
                                      const void *source_addr, size_t nbytes,
                                      gex_Flags_t flags);
#define GEX_VIS_MAX_PEERCOMPLETION 127

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_VIS_H_ */
