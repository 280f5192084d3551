/* Vector, indexed and strided puts and gets: transfers whose memory is in
 * pieces on both sides. gasnet.h includes this header. It also compiles alone,
 * and before or after gasnet.h or gasnetex.h. gasnet/ex_vis.h has the calls of
 * GASNet-EX, and their additional rules.
 *
 * Each side of a transfer is a list of pieces, read as one sequence of bytes.
 * Both sides must have the same number of bytes in total (otherwise the call is
 * fatal), but may be divided into different pieces. Byte i of the source goes
 * to byte i of the destination. Pieces may have any alignment and lie in any
 * order; empty pieces, and empty lists, are legal. Source pieces may overlap
 * each other. Destination pieces must not overlap each other or the source. The
 * remote side lies in the segment of one node, which may be the calling node;
 * the local side lies anywhere.
 *
 *   v, vector    pieces of any length
 *   i, indexed   pieces given by address, all of one length on each side
 *   s, strided   nested repetitions of one contiguous piece
 *
 * The forms complete as gasnet_put_bulk, _nb_bulk and _nbi_bulk do (spec 3.3).
 * The blocking form is complete when the call returns. The nb form is complete
 * when its handle is synced. The nbi form is synced with the other implicit
 * operations, or the access region, of the calling thread. Until completion the
 * source must not change, the destination must not be read, and the lists of v
 * and i must not change or be freed. The arrays of a strided call are read
 * before the call returns. A transfer is not atomic: its bytes arrive in any
 * order.
 *
 * The calls are legal where gasnet_put is legal: after gasnet_attach, not in
 * handlers, not while a handler-safe lock is held or in no-interrupt sections.
 * They may run handlers. Debug builds check every address, and that
 * destinations do not overlap.
 */
#ifndef GASNET_VIS_H_
#define GASNET_VIS_H_

/* gasnetex.h comes first because its configuration says whether inlined calls
   are checked. */
#if defined(GASNET_SEQ) || defined(GASNET_PARSYNC) || defined(GASNET_PAR)
#include "gasnetex.h"
#endif
#include "gasnet/abi.h"

#include "gasnet/ex_vis.h"

GASNETI_EXTERN_C_BEGIN

/* Vector: the lists have dstcount and srccount entries of type
   gasnet_memvec_t. */

void gasnet_putv_bulk(gasnet_node_t dstnode, size_t dstcount,
                      gasnet_memvec_t const dstlist[], size_t srccount,
                      gasnet_memvec_t const srclist[]);
void gasnet_getv_bulk(size_t dstcount, gasnet_memvec_t const dstlist[],
                      gasnet_node_t srcnode, size_t srccount,
                      gasnet_memvec_t const srclist[]);
gasnet_handle_t gasnet_putv_nb_bulk(gasnet_node_t dstnode, size_t dstcount,
                                    gasnet_memvec_t const dstlist[],
                                    size_t srccount,
                                    gasnet_memvec_t const srclist[]);
gasnet_handle_t gasnet_getv_nb_bulk(size_t dstcount,
                                    gasnet_memvec_t const dstlist[],
                                    gasnet_node_t srcnode, size_t srccount,
                                    gasnet_memvec_t const srclist[]);
void gasnet_putv_nbi_bulk(gasnet_node_t dstnode, size_t dstcount,
                          gasnet_memvec_t const dstlist[], size_t srccount,
                          gasnet_memvec_t const srclist[]);
void gasnet_getv_nbi_bulk(size_t dstcount, gasnet_memvec_t const dstlist[],
                          gasnet_node_t srcnode, size_t srccount,
                          gasnet_memvec_t const srclist[]);

/* Indexed: the destination has dstcount pieces of dstlen bytes, the source
 * has srccount pieces of srclen bytes. The lists have the addresses of the
 * pieces. */

void gasnet_puti_bulk(gasnet_node_t dstnode, size_t dstcount,
                      void *const dstlist[], size_t dstlen, size_t srccount,
                      void *const srclist[], size_t srclen);
void gasnet_geti_bulk(size_t dstcount, void *const dstlist[], size_t dstlen,
                      gasnet_node_t srcnode, size_t srccount,
                      void *const srclist[], size_t srclen);
gasnet_handle_t gasnet_puti_nb_bulk(gasnet_node_t dstnode, size_t dstcount,
                                    void *const dstlist[], size_t dstlen,
                                    size_t srccount, void *const srclist[],
                                    size_t srclen);
gasnet_handle_t gasnet_geti_nb_bulk(size_t dstcount, void *const dstlist[],
                                    size_t dstlen, gasnet_node_t srcnode,
                                    size_t srccount, void *const srclist[],
                                    size_t srclen);
void gasnet_puti_nbi_bulk(gasnet_node_t dstnode, size_t dstcount,
                          void *const dstlist[], size_t dstlen, size_t srccount,
                          void *const srclist[], size_t srclen);
void gasnet_geti_nbi_bulk(size_t dstcount, void *const dstlist[], size_t dstlen,
                          gasnet_node_t srcnode, size_t srccount,
                          void *const srclist[], size_t srclen);

/* Strided: count[0] contiguous bytes are repeated count[1] times. The result is
 * repeated count[2] times, and so on. count has stridelevels + 1 entries.
 * Repetitions of level i are dststrides[i-1] bytes apart in the destination and
 * srcstrides[i-1] bytes apart in the source. Strides need not be in order of
 * size. A count of 0 makes the transfer empty. With stridelevels 0 the transfer
 * is contiguous, and the strides are not read. A source stride of 0 is legal:
 * it reads the same bytes repeatedly. */

void gasnet_puts_bulk(gasnet_node_t dstnode, void *dstaddr,
                      const size_t dststrides[], void *srcaddr,
                      const size_t srcstrides[], const size_t count[],
                      size_t stridelevels);
void gasnet_gets_bulk(void *dstaddr, const size_t dststrides[],
                      gasnet_node_t srcnode, void *srcaddr,
                      const size_t srcstrides[], const size_t count[],
                      size_t stridelevels);
gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t dstnode, void *dstaddr,
                                    const size_t dststrides[], void *srcaddr,
                                    const size_t srcstrides[],
                                    const size_t count[], size_t stridelevels);
gasnet_handle_t gasnet_gets_nb_bulk(void *dstaddr, const size_t dststrides[],
                                    gasnet_node_t srcnode, void *srcaddr,
                                    const size_t srcstrides[],
                                    const size_t count[], size_t stridelevels);
void gasnet_puts_nbi_bulk(gasnet_node_t dstnode, void *dstaddr,
                          const size_t dststrides[], void *srcaddr,
                          const size_t srcstrides[], const size_t count[],
                          size_t stridelevels);
void gasnet_gets_nbi_bulk(void *dstaddr, const size_t dststrides[],
                          gasnet_node_t srcnode, void *srcaddr,
                          const size_t srcstrides[], const size_t count[],
                          size_t stridelevels);

GASNETI_EXTERN_C_END

#endif /* GASNET_VIS_H_ */
