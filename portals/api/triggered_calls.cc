// The calls for triggered operations. They check an operation at once, and
// store it until a counter reaches a threshold.
#include "portals/api/entry_calls.h"
#include "portals/api/request.h"
#include "portals/api/triggers.h"
#include "portals4.h"

namespace portals4 = gasnet::portals4;
using portals4::Arguments;
using portals4::OperationKind;

namespace {

int Keep(const Arguments& arguments, ptl_handle_ct_t trigger,
         ptl_size_t threshold) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  portals4::Objects objects;
  const int result = portals4::Check(arguments, objects);
  if (result != PTL_OK) return result;
  return portals4::Postpone(portals4::CallOf(arguments, objects),
                            arguments.operand, trigger, threshold);
}

}  // namespace

int PtlTriggeredPut(ptl_handle_md_t md_handle, ptl_size_t local_offset,
                    ptl_size_t length, ptl_ack_req_t ack_req,
                    ptl_process_t target_id, ptl_pt_index_t pt_index,
                    ptl_match_bits_t match_bits, ptl_size_t remote_offset,
                    void* user_ptr, ptl_hdr_data_t hdr_data,
                    ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return Keep({.kind = OperationKind::kPut,
               .put_md = md_handle,
               .put_offset = local_offset,
               .length = length,
               .ack = ack_req,
               .target = target_id,
               .pt = pt_index,
               .match_bits = match_bits,
               .remote_offset = remote_offset,
               .user_ptr = user_ptr,
               .hdr_data = hdr_data},
              trig_ct_handle, threshold);
}

int PtlTriggeredGet(ptl_handle_md_t md_handle, ptl_size_t local_offset,
                    ptl_size_t length, ptl_process_t target_id,
                    ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                    ptl_size_t remote_offset, void* user_ptr,
                    ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return Keep({.kind = OperationKind::kGet,
               .get_md = md_handle,
               .get_offset = local_offset,
               .length = length,
               .target = target_id,
               .pt = pt_index,
               .match_bits = match_bits,
               .remote_offset = remote_offset,
               .user_ptr = user_ptr},
              trig_ct_handle, threshold);
}

int PtlTriggeredAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset,
                       ptl_size_t length, ptl_ack_req_t ack_req,
                       ptl_process_t target_id, ptl_pt_index_t pt_index,
                       ptl_match_bits_t match_bits, ptl_size_t remote_offset,
                       void* user_ptr, ptl_hdr_data_t hdr_data,
                       ptl_op_t operation, ptl_datatype_t datatype,
                       ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return Keep({.kind = OperationKind::kAtomic,
               .put_md = md_handle,
               .put_offset = local_offset,
               .length = length,
               .ack = ack_req,
               .target = target_id,
               .pt = pt_index,
               .match_bits = match_bits,
               .remote_offset = remote_offset,
               .user_ptr = user_ptr,
               .hdr_data = hdr_data,
               .operation = operation,
               .datatype = datatype},
              trig_ct_handle, threshold);
}

int PtlTriggeredFetchAtomic(
    ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
    ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
    ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
    ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
    ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype,
    ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return Keep({.kind = OperationKind::kFetch,
               .put_md = put_md_handle,
               .put_offset = local_put_offset,
               .get_md = get_md_handle,
               .get_offset = local_get_offset,
               .length = length,
               .target = target_id,
               .pt = pt_index,
               .match_bits = match_bits,
               .remote_offset = remote_offset,
               .user_ptr = user_ptr,
               .hdr_data = hdr_data,
               .operation = operation,
               .datatype = datatype},
              trig_ct_handle, threshold);
}

int PtlTriggeredSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                     ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
                     ptl_size_t length, ptl_process_t target_id,
                     ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                     ptl_size_t remote_offset, void* user_ptr,
                     ptl_hdr_data_t hdr_data, const void* operand,
                     ptl_op_t operation, ptl_datatype_t datatype,
                     ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return Keep({.kind = OperationKind::kSwap,
               .put_md = put_md_handle,
               .put_offset = local_put_offset,
               .get_md = get_md_handle,
               .get_offset = local_get_offset,
               .length = length,
               .target = target_id,
               .pt = pt_index,
               .match_bits = match_bits,
               .remote_offset = remote_offset,
               .user_ptr = user_ptr,
               .hdr_data = hdr_data,
               .operand = operand,
               .operation = operation,
               .datatype = datatype},
              trig_ct_handle, threshold);
}

int PtlTriggeredMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                         ptl_me_t* me_init, ptl_list_t ptl_list, void* user_ptr,
                         ptl_handle_me_t* me_handle_p,
                         ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (me_init == nullptr || me_handle_p == nullptr) return PTL_ARG_INVALID;
  portals4::Named<portals4::EntryRecord> made;
  int result =
      portals4::MakeEntry(ni_handle, true, pt_index, *me_init, ptl_list,
                          user_ptr, portals4::RecordPhase::kPending, made);
  if (result != PTL_OK) return result;
  *me_handle_p = portals4::HandleOf(made);
  result = portals4::PostponeAppend(made, trig_ct_handle, threshold);
  if (result != PTL_OK) portals4::DropEntry(made);
  return result;
}

int PtlTriggeredMEUnlink(ptl_handle_me_t me_handle,
                         ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  return portals4::PostponeUnlink(me_handle, trig_ct_handle, threshold);
}
