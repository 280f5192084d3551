/* Operations that wait for a counting event. Include portals4.h.
 *
 * An operation begins when success + failure of `trig_ct_handle` is at least
 * `threshold`. If that is already so, the operation begins at once. It begins
 * even if this process computes or sleeps. Operations that wait for one counter
 * begin in the order of their thresholds. With equal thresholds they begin in
 * the order of their calls.
 *
 * The operation reads its memory, including `operand`, when it begins. The
 * memory must stay until then. Each call checks its arguments like the function
 * without "Triggered". The call returns PTL_NO_SPACE if max_triggered_ops
 * operations wait already. PtlCTCancelTriggered forgets operations that have
 * not begun. If a counter never reaches the threshold, the operation waits
 * until PtlCTCancelTriggered. */
#ifndef PORTALS4_TRIGGERED_H_
#define PORTALS4_TRIGGERED_H_

#include "counters.h"
#include "entries.h"
#include "operations.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Performs PtlPut later. */
int PtlTriggeredPut(ptl_handle_md_t md_handle, ptl_size_t local_offset,
                    ptl_size_t length, ptl_ack_req_t ack_req,
                    ptl_process_t target_id, ptl_pt_index_t pt_index,
                    ptl_match_bits_t match_bits, ptl_size_t remote_offset,
                    void *user_ptr, ptl_hdr_data_t hdr_data,
                    ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);

/* Performs PtlGet later. */
int PtlTriggeredGet(ptl_handle_md_t md_handle, ptl_size_t local_offset,
                    ptl_size_t length, ptl_process_t target_id,
                    ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                    ptl_size_t remote_offset, void *user_ptr,
                    ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);

/* Performs PtlAtomic later. */
int PtlTriggeredAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset,
                       ptl_size_t length, ptl_ack_req_t ack_req,
                       ptl_process_t target_id, ptl_pt_index_t pt_index,
                       ptl_match_bits_t match_bits, ptl_size_t remote_offset,
                       void *user_ptr, ptl_hdr_data_t hdr_data,
                       ptl_op_t operation, ptl_datatype_t datatype,
                       ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);

/* Performs PtlFetchAtomic later. */
int PtlTriggeredFetchAtomic(
    ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
    ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
    ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
    ptl_match_bits_t match_bits, ptl_size_t remote_offset, void *user_ptr,
    ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype,
    ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);

/* Performs PtlSwap later. */
int PtlTriggeredSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                     ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
                     ptl_size_t length, ptl_process_t target_id,
                     ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                     ptl_size_t remote_offset, void *user_ptr,
                     ptl_hdr_data_t hdr_data, const void *operand,
                     ptl_op_t operation, ptl_datatype_t datatype,
                     ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);

/* Perform PtlCTInc and PtlCTSet of `ct_handle` later. The new value may trigger
   other operations. */
int PtlTriggeredCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);
int PtlTriggeredCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);

/* Performs PtlMEAppend later. The entry's handle is valid at once. The append
 * may fail later, for instance because pt_index has been freed. Then nothing
 * reports the failure, and the handle is void. */
int PtlTriggeredMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                         ptl_me_t *me_init, ptl_list_t ptl_list, void *user_ptr,
                         ptl_handle_me_t *me_handle_p,
                         ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);

/* Performs PtlMEUnlink later. */
int PtlTriggeredMEUnlink(ptl_handle_me_t me_handle,
                         ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_TRIGGERED_H_ */
