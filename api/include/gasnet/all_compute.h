/* Collectives over all nodes that compute: reductions, prefixes and sorting.
 * gasnet_coll.h has the rules of all of them, and coll_types.h flags.
 *
 * Each node gives a vector of elem_count elements, as many on all nodes, and
 * vectors are combined element by element, in order of nodes:
 * v0[i] op v1[i] op v2[i] ... How that is bracketed depends on the number of
 * nodes alone. So results have the same bits on all nodes, in every run, on
 * every network, with any placement, message size and mode; and operations
 * need not be commutative.
 *
 * Elements are aligned for their type. dst may be src; they must not overlap
 * otherwise.
 */
#ifndef GASNET_ALL_COMPUTE_H_
#define GASNET_ALL_COMPUTE_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* The type of the elements: a number of C, or n bytes that only functions
 * know (n at least 1 and at most GASNET_ALL_BYTES_MAX). */
typedef unsigned gasnet_all_type_t;
#define GASNET_ALL_INT8 0x40000001u
#define GASNET_ALL_UINT8 0x40000101u
#define GASNET_ALL_INT16 0x40000202u
#define GASNET_ALL_UINT16 0x40000302u
#define GASNET_ALL_INT32 0x40000404u
#define GASNET_ALL_UINT32 0x40000504u
#define GASNET_ALL_INT64 0x40000608u
#define GASNET_ALL_UINT64 0x40000708u
#define GASNET_ALL_FLOAT 0x40000804u
#define GASNET_ALL_DOUBLE 0x40000908u
#define GASNET_ALL_BYTES(n) GASNETI_CAST(gasnet_all_type_t, n)
#define GASNET_ALL_BYTES_MAX 0x3fffffffu

/* How they are combined: as C does, where sums and products of signed numbers
 * wrap; minimum and maximum are x < y ? x : y and x > y ? x : y, which is y
 * where one of them is no number; logical ones give 0 or 1. AND, OR and XOR of
 * bits are not for FLOAT and DOUBLE. Or by function i of the table of
 * gasnet_coll_init, which gets op_arg, on elements of any type; op_arg is
 * ignored otherwise. */
typedef unsigned gasnet_all_op_t;
#define GASNET_ALL_SUM 0u
#define GASNET_ALL_PRODUCT 1u
#define GASNET_ALL_MIN 2u
#define GASNET_ALL_MAX 3u
#define GASNET_ALL_AND 4u
#define GASNET_ALL_OR 5u
#define GASNET_ALL_XOR 6u
#define GASNET_ALL_LOGICAL_AND 7u
#define GASNET_ALL_LOGICAL_OR 8u
#define GASNET_ALL_FUNCTION(i) (GASNETI_CAST(gasnet_all_op_t, i) | 0x40000000u)

/* dst of dstnode becomes all vectors combined. */
void gasnet_all_reduce(gasnet_node_t dstnode, void *dst, const void *src,
                       size_t elem_count, gasnet_all_type_t type,
                       gasnet_all_op_t op, int op_arg, int flags);
gasnet_all_handle_t gasnet_all_reduce_nb(gasnet_node_t dstnode, void *dst,
                                         const void *src, size_t elem_count,
                                         gasnet_all_type_t type,
                                         gasnet_all_op_t op, int op_arg,
                                         int flags);

/* dst of every node becomes all vectors combined. */
void gasnet_all_reduce_all(void *dst, const void *src, size_t elem_count,
                           gasnet_all_type_t type, gasnet_all_op_t op,
                           int op_arg, int flags);
gasnet_all_handle_t gasnet_all_reduce_all_nb(void *dst, const void *src,
                                             size_t elem_count,
                                             gasnet_all_type_t type,
                                             gasnet_all_op_t op, int op_arg,
                                             int flags);

/* dst of node k becomes the vectors of nodes 0 to k combined; with the flag
 * GASNET_ALL_EXCLUSIVE those of nodes 0 to k-1, and dst of node 0 is not
 * written. */
#define GASNET_ALL_EXCLUSIVE (1 << 16)
void gasnet_all_prefix_reduce(void *dst, const void *src, size_t elem_count,
                              gasnet_all_type_t type, gasnet_all_op_t op,
                              int op_arg, int flags);
gasnet_all_handle_t gasnet_all_prefix_reduce_nb(void *dst, const void *src,
                                                size_t elem_count,
                                                gasnet_all_type_t type,
                                                gasnet_all_op_t op, int op_arg,
                                                int flags);

/* Reductions and prefixes of unequal contributions. Each node gives elem_count
 * elements, as many as it likes or none. All elements of all nodes are combined
 * with each other, in order of nodes, and on each node in order of index.
 *
 * Blocking only. type, op, op_arg and flags agree on all nodes. Takes memory of
 * its own: for each node 16 bytes and an element, rounded up to 16 bytes.
 *
 * Brackets depend on the numbers of elements alone, so that these results too
 * have the same bits everywhere. A tree combines the elements of each node, and
 * a tree what that makes of the nodes that have any. Both are those by which
 * the functions above combine as many nodes. The prefixes of a node begin with
 * what lower nodes make in this way; one element after the other is added. */

/* One element, *dst of dstnode, becomes all elements of all nodes combined. It
 * is not written where no node gives any. */
void gasnet_all_reducev(gasnet_node_t dstnode, void *dst, const void *src,
                        size_t elem_count, gasnet_all_type_t type,
                        gasnet_all_op_t op, int op_arg, int flags);

/* The same in *dst of every node, also of those that give none. */
void gasnet_all_reduce_allv(void *dst, const void *src, size_t elem_count,
                            gasnet_all_type_t type, gasnet_all_op_t op,
                            int op_arg, int flags);

/* dst[k] becomes all elements of lower nodes and elements 0 to k of this node
 * combined; with the flag GASNET_ALL_EXCLUSIVE those before element k alone,
 * and of the first node that gives any dst[0] is not written. */
void gasnet_all_prefix_reducev(void *dst, const void *src, size_t elem_count,
                               gasnet_all_type_t type, gasnet_all_op_t op,
                               int op_arg, int flags);

/* Sorts the elements that lie at base on all nodes, count of them here, of
 * elem_size bytes each: afterwards each node has as many as before, in
 * ascending order, and none that is greater than one of a higher node. compare
 * is as qsort's, the same order on all nodes, and calls nothing of GASNet; in
 * which order equal elements come is not said. Blocking only. Nodes may have
 * different counts, and none. elem_size and flags agree on all nodes. Takes
 * memory of its own, as much as base has and more. */
void gasnet_all_sort(void *base, size_t count, size_t elem_size,
                     int (*compare)(const void *, const void *), int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_ALL_COMPUTE_H_ */
