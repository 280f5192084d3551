// An operation as a program asks for it: one for all of PtlPut, PtlGet,
// PtlAtomic, PtlFetchAtomic, PtlSwap and their triggered forms.
#ifndef PORTALS_API_REQUEST_H_
#define PORTALS_API_REQUEST_H_

#include "portals/api/check.h"
#include "portals/api/initiate.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// The arguments, once they are checked.
struct Call {
  Interface* interface = nullptr;
  Request request;
  Operation operation;
  ptl_process_t target = {};
  uint64_t physical = 0;
};

// The fields that have arguments; others keep their values.
struct Arguments {
  Kind kind;
  ptl_handle_md_t put_md = PTL_INVALID_HANDLE;
  ptl_size_t put_offset = 0;
  ptl_handle_md_t get_md = PTL_INVALID_HANDLE;
  ptl_size_t get_offset = 0;
  ptl_size_t length = 0;
  ptl_ack_req_t ack = PTL_NO_ACK_REQ;
  ptl_process_t target = {};
  ptl_pt_index_t pt = 0;
  ptl_match_bits_t match_bits = 0;
  ptl_size_t remote_offset = 0;
  void* user_ptr = nullptr;
  ptl_hdr_data_t hdr_data = 0;
  const void* operand = nullptr;
  ptl_op_t operation = 0;
  ptl_datatype_t datatype = 0;
};

// PTL_OK or PTL_ARG_INVALID.
int Check(const Arguments& arguments, Call& call);

// Does it.
void Perform(Call& call);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_REQUEST_H_
