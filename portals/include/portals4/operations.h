/* Put, get, and atomic operations. Include portals4.h.
 *
 * Common to all functions: the range [local_offset, local_offset + length) must
 * lie in the descriptor, and `length` within the interface's limits. Otherwise
 * the call returns PTL_ARG_INVALID. The target is `target_id` (a rank, or a
 * node and process, depending on the interface). At the target, the operation
 * works on the first entry behind index `pt_index` that matches. The call
 * returns before the operation is complete. Events of the descriptor report the
 * operation's end, and carry `user_ptr`. A failure is reported once. Operations
 * of one initiator to one interface match in the order of calls, unless the
 * descriptor says PTL_MD_UNORDERED. */
#ifndef PORTALS4_OPERATIONS_H_
#define PORTALS4_OPERATIONS_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The acknowledgement that the initiator of a put or an atomic operation gets
 * when the target has the data:
 *
 *   ACK: a full event, also counted if the descriptor counts acknowledgements
 *
 *   CT_ACK: counted only
 *
 *   OC_ACK: counted when the operation is complete, without its result
 *
 *   NO_ACK: no acknowledgement, and no report of a failure
 *
 * ACK needs a descriptor with a queue; CT_ACK and OC_ACK need one with a
 * counter. Otherwise the call returns PTL_ARG_INVALID. */
typedef uint32_t ptl_ack_req_t;
enum {
  PTL_NO_ACK_REQ = 0,
  PTL_ACK_REQ = 1,
  PTL_CT_ACK_REQ = 2,
  PTL_OC_ACK_REQ = 3
};

/* The arithmetic of atomic operations. The CSWAP operations exchange one item
 * if `operand` compares with the target's item as the name says. MSWAP
 * exchanges the bits that are set in `operand`. */
typedef uint32_t ptl_op_t;
enum {
  PTL_MIN = 0,
  PTL_MAX = 1,
  PTL_SUM = 2,
  PTL_PROD = 3,
  PTL_LOR = 4,
  PTL_LAND = 5,
  PTL_BOR = 6,
  PTL_BAND = 7,
  PTL_LXOR = 8,
  PTL_BXOR = 9,
  PTL_SWAP = 10,
  PTL_CSWAP = 11,
  PTL_CSWAP_NE = 12,
  PTL_CSWAP_LE = 13, /* operand <= target's */
  PTL_CSWAP_LT = 14,
  PTL_CSWAP_GE = 15,
  PTL_CSWAP_GT = 16,
  PTL_MSWAP = 17,
  PTL_OP_LAST = 18
};

/* The types of the items of atomic operations. */
typedef uint32_t ptl_datatype_t;
enum {
  PTL_INT8_T = 0,
  PTL_UINT8_T = 1,
  PTL_INT16_T = 2,
  PTL_UINT16_T = 3,
  PTL_INT32_T = 4,
  PTL_UINT32_T = 5,
  PTL_FLOAT = 6,
  PTL_INT64_T = 7,
  PTL_UINT64_T = 8,
  PTL_DOUBLE = 9,
  PTL_FLOAT_COMPLEX = 10,
  PTL_DOUBLE_COMPLEX = 11,
  PTL_LONG_DOUBLE = 12,
  PTL_LONG_DOUBLE_COMPLEX = 13,
  PTL_DATATYPE_LAST = 14
};

/* Writes into the target's memory.
 *
 * PTL_EVENT_SEND reports that the source may be reused. With PTL_MD_VOLATILE
 * the source may be reused as soon as the call returns. Then `length` must not
 * be above max_volatile_size, or the call returns PTL_ARG_INVALID.
 * PTL_EVENT_ACK reports that the data is at the target. */
int PtlPut(ptl_handle_md_t md_handle, ptl_size_t local_offset,
           ptl_size_t length, ptl_ack_req_t ack_req, ptl_process_t target_id,
           ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
           ptl_size_t remote_offset, void *user_ptr, ptl_hdr_data_t hdr_data);

/* Reads the target's memory into the descriptor's memory. PTL_EVENT_REPLY
 * reports that the data has arrived. */
int PtlGet(ptl_handle_md_t md_handle, ptl_size_t local_offset,
           ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
           ptl_match_bits_t match_bits, ptl_size_t remote_offset,
           void *user_ptr);

/* Combines items of the source with the target's items: target = target
 * `operation` source. The update of each item is atomic with respect to other
 * Portals operations. If the target's interface has PTL_COHERENT_ATOMICS, the
 * update of an aligned integer, float or double is atomic with respect to the
 * target's own atomic instructions too. `length` is a multiple of the item's
 * size. The events are those of PtlPut.
 *
 * Returns PTL_ARG_INVALID for operations from SWAP on, for complex numbers
 * except with SUM or PROD, and for bit operations except on integers. */
int PtlAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset,
              ptl_size_t length, ptl_ack_req_t ack_req, ptl_process_t target_id,
              ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
              ptl_size_t remote_offset, void *user_ptr, ptl_hdr_data_t hdr_data,
              ptl_op_t operation, ptl_datatype_t datatype);

/* Does the same as PtlAtomic, and fetches the previous values of the target's
 * items. Both local ranges may be the same. Events of the put descriptor report
 * SEND. Events of the get descriptor report REPLY. */
int PtlFetchAtomic(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                   ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
                   ptl_size_t length, ptl_process_t target_id,
                   ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                   ptl_size_t remote_offset, void *user_ptr,
                   ptl_hdr_data_t hdr_data, ptl_op_t operation,
                   ptl_datatype_t datatype);

/* Exchanges local items with the target's items. PTL_SWAP exchanges any number
 * of items. The conditional swaps and PTL_MSWAP exchange one item, and read one
 * item at `operand`. The events are those of PtlFetchAtomic. */
int PtlSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
            ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
            ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
            ptl_match_bits_t match_bits, ptl_size_t remote_offset,
            void *user_ptr, ptl_hdr_data_t hdr_data, const void *operand,
            ptl_op_t operation, ptl_datatype_t datatype);

/* Makes earlier atomic operations of peers visible to this process's loads.
 * Makes this process's earlier stores visible to later atomic operations. */
int PtlAtomicSync(void);

/* Begin and end a bundle. The library may send together the operations that
 * are started between the two calls. Calls nest. PtlEndBundle sends all earlier
 * operations that have not been sent yet. */
int PtlStartBundle(ptl_handle_ni_t ni_handle);
int PtlEndBundle(ptl_handle_ni_t ni_handle);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_OPERATIONS_H_ */
