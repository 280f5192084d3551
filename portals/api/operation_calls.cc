// Put, get and atomic operations. Each calls Check and Perform.
#include <atomic>

#include "portals/api/request.h"
#include "portals4.h"

namespace portals4 = gasnet::portals4;
using portals4::Arguments;
using portals4::OperationKind;

namespace {

// Executes a call. Inlined, so that arguments are not stored in memory twice.
[[gnu::always_inline]] inline int Do(const Arguments& arguments) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  portals4::Objects objects;
  const int result = portals4::Check(arguments, objects);
  if (result != PTL_OK) return result;
  portals4::PreparedOperation call = portals4::CallOf(arguments, objects);
  portals4::Perform(call);
  return PTL_OK;
}

}  // namespace

int PtlPut(ptl_handle_md_t md_handle, ptl_size_t local_offset,
           ptl_size_t length, ptl_ack_req_t ack_req, ptl_process_t target_id,
           ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
           ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data) {
  return Do({.kind = OperationKind::kPut,
             .put_md = md_handle,
             .put_offset = local_offset,
             .length = length,
             .ack = ack_req,
             .target = target_id,
             .pt = pt_index,
             .match_bits = match_bits,
             .remote_offset = remote_offset,
             .user_ptr = user_ptr,
             .hdr_data = hdr_data});
}

int PtlGet(ptl_handle_md_t md_handle, ptl_size_t local_offset,
           ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
           ptl_match_bits_t match_bits, ptl_size_t remote_offset,
           void* user_ptr) {
  return Do({.kind = OperationKind::kGet,
             .get_md = md_handle,
             .get_offset = local_offset,
             .length = length,
             .target = target_id,
             .pt = pt_index,
             .match_bits = match_bits,
             .remote_offset = remote_offset,
             .user_ptr = user_ptr});
}

int PtlAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset,
              ptl_size_t length, ptl_ack_req_t ack_req, ptl_process_t target_id,
              ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
              ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data,
              ptl_op_t operation, ptl_datatype_t datatype) {
  return Do({.kind = OperationKind::kAtomic,
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
             .datatype = datatype});
}

int PtlFetchAtomic(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                   ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
                   ptl_size_t length, ptl_process_t target_id,
                   ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                   ptl_size_t remote_offset, void* user_ptr,
                   ptl_hdr_data_t hdr_data, ptl_op_t operation,
                   ptl_datatype_t datatype) {
  return Do({.kind = OperationKind::kFetch,
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
             .datatype = datatype});
}

int PtlSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
            ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
            ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
            ptl_match_bits_t match_bits, ptl_size_t remote_offset,
            void* user_ptr, ptl_hdr_data_t hdr_data, const void* operand,
            ptl_op_t operation, ptl_datatype_t datatype) {
  return Do({.kind = OperationKind::kSwap,
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
             .datatype = datatype});
}

// Needs only a fence. When a call of this process returns, its accesses to
// memory of this process are complete. Operations of peers on this memory are
// executed by this process, or in memory that all processes share.
int PtlAtomicSync(void) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return PTL_OK;
}

int PtlStartBundle(ptl_handle_ni_t ni_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  portals4::Interface* const interface =
      portals4::GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr) return PTL_ARG_INVALID;
  interface->bundles.fetch_add(1, std::memory_order_relaxed);
  return PTL_OK;
}

int PtlEndBundle(ptl_handle_ni_t ni_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  portals4::Interface* const interface =
      portals4::GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr) return PTL_ARG_INVALID;
  uint32_t open = interface->bundles.load(std::memory_order_relaxed);
  do {
    if (open == 0) return PTL_ARG_INVALID;
  } while (!interface->bundles.compare_exchange_weak(
      open, open - 1, std::memory_order_relaxed, std::memory_order_relaxed));
  return PTL_OK;
}
