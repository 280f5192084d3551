/* Collectives that compute over all nodes: reductions, prefix reductions and
 * sorting. gasnet_coll.h has the rules of all collectives, and coll_types.h the
 * flags.
 *
 * Each node gives a vector of elem_count elements, the same number on all
 * nodes. Vectors are combined element by element, in order of nodes: v0[i] op
 * v1[i] op v2[i] ... The bracketing depends only on the number of nodes. So
 * results have the same bits on all nodes, in every run, on every network, with
 * any placement, message size and mode. Operations need not be commutative.
 *
 * Elements are aligned for their type. dst may equal src; otherwise the two
 * must not overlap. */
#ifndef GASNET_ALL_COMPUTE_H_
#define GASNET_ALL_COMPUTE_H_

#include "gasnet/abi.h"
#include "gasnet/coll_types.h"

GASNETI_EXTERN_C_BEGIN

/* The type of the elements: a C number type, or n opaque bytes that the
 * client's own functions combine (1 <= n <= GASNET_ALL_BYTES_MAX). */
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

/* The operation that combines elements. Operations are those of C, except that
 * signed sums and products wrap. A minimum or maximum of the left operand x and
 * the right operand y is y if either is NaN:
 *
 *     minimum  x < y ? x : y
 *     maximum  x > y ? x : y
 *
 * Logical operations give 0 or 1. Bitwise AND, OR and XOR are not defined for
 * FLOAT and DOUBLE. GASNET_ALL_FUNCTION(i) is function i of the table that
 * gasnet_coll_init got, for elements of any type. The function gets op_arg; all
 * other operations ignore op_arg. */
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

/* Combines the vectors of all nodes and stores the result in dst of dstnode. */
void gasnet_all_reduce(gasnet_node_t dstnode, void *dst, const void *src,
                       size_t elem_count, gasnet_all_type_t type,
                       gasnet_all_op_t op, int op_arg, int flags);
gasnet_all_handle_t gasnet_all_reduce_nb(gasnet_node_t dstnode, void *dst,
                                         const void *src, size_t elem_count,
                                         gasnet_all_type_t type,
                                         gasnet_all_op_t op, int op_arg,
                                         int flags);

/* Combines the vectors of all nodes and stores the result in dst of every
   node. */
void gasnet_all_reduce_all(void *dst, const void *src, size_t elem_count,
                           gasnet_all_type_t type, gasnet_all_op_t op,
                           int op_arg, int flags);
gasnet_all_handle_t gasnet_all_reduce_all_nb(void *dst, const void *src,
                                             size_t elem_count,
                                             gasnet_all_type_t type,
                                             gasnet_all_op_t op, int op_arg,
                                             int flags);

/* Combines the vectors of nodes 0 to k and stores the result in dst of node k,
 * for every k. With the flag GASNET_ALL_EXCLUSIVE it combines the vectors of
 * nodes 0 to k-1 instead, and does not write dst of node 0. */
#define GASNET_ALL_EXCLUSIVE (1 << 16)
void gasnet_all_prefix_reduce(void *dst, const void *src, size_t elem_count,
                              gasnet_all_type_t type, gasnet_all_op_t op,
                              int op_arg, int flags);
gasnet_all_handle_t gasnet_all_prefix_reduce_nb(void *dst, const void *src,
                                                size_t elem_count,
                                                gasnet_all_type_t type,
                                                gasnet_all_op_t op, int op_arg,
                                                int flags);

/* Reductions and prefix reductions of unequal contributions. Each node gives
 * elem_count elements; the number may differ by node and may be 0. All elements
 * of all nodes are combined in order of nodes, and within a node in order of
 * index.
 *
 * These functions have only blocking forms. type, op, op_arg and flags are the
 * same on all nodes. A call allocates, for each node, 16 bytes and one element,
 * rounded up to 16 bytes.
 *
 * The bracketing depends only on the nodes' values of elem_count, so a result
 * has the same bits in every run and on every network. One tree combines the
 * elements of each node. Another tree combines the results of the nodes that
 * have elements. Both trees have the shape that the functions above use for the
 * same number of nodes. The prefixes of a node start from the combined result
 * of all lower nodes. The node then adds its own elements to that result one by
 * one. */

/* Combines all elements of all nodes and stores the result, one element, in
 * *dst of dstnode. If no node gives any element, *dst is not written. */
void gasnet_all_reducev(gasnet_node_t dstnode, void *dst, const void *src,
                        size_t elem_count, gasnet_all_type_t type,
                        gasnet_all_op_t op, int op_arg, int flags);

/* Like gasnet_all_reducev, but stores the result in *dst of every node,
 * including nodes that give no element. */
void gasnet_all_reduce_allv(void *dst, const void *src, size_t elem_count,
                            gasnet_all_type_t type, gasnet_all_op_t op,
                            int op_arg, int flags);

/* Stores in dst[k] the combination of all elements of lower nodes and elements
 * 0 to k of this node. With the flag GASNET_ALL_EXCLUSIVE the combination
 * leaves out element k. Then dst[0] of the first node that gives an element is
 * not written. */
void gasnet_all_prefix_reducev(void *dst, const void *src, size_t elem_count,
                               gasnet_all_type_t type, gasnet_all_op_t op,
                               int op_arg, int flags);

/* Sorts the elements at base on all nodes. This node has count elements of
 * elem_size bytes each. Afterwards each node has as many elements as before, in
 * ascending order, and none of them is greater than an element of a higher
 * node. compare is like qsort's: it defines the same order on all nodes and
 * calls no GASNet function. The order of equal elements is unspecified. There
 * is only this blocking form. Counts may differ among nodes and may be 0.
 * elem_size and flags are the same on all nodes. The call allocates at least as
 * much memory as the elements at base take. */
void gasnet_all_sort(void *base, size_t count, size_t elem_size,
                     int (*compare)(const void *, const void *), int flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_ALL_COMPUTE_H_ */
