// An operation as a program requests it. PtlPut, PtlGet, PtlAtomic,
// PtlFetchAtomic, PtlSwap and their triggered forms share this code.
#ifndef PORTALS_API_REQUEST_H_
#define PORTALS_API_REQUEST_H_

#include "portals/api/check.h"
#include "portals/api/initiate.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// An operation that is ready to run.
struct PreparedOperation {
  Interface* interface = nullptr;
  InitiatorRequest request;
  PortalsOperation operation;
  ptl_process_t target = {};
  uint64_t physical = 0;
};

// The arguments of one of the calls listed at the top of this file. A field
// keeps its default value if the call has no such argument.
struct Arguments {
  OperationKind kind;
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

// The objects that the handles in the arguments name.
struct Objects {
  Interface* interface = nullptr;
  const MdRecord* put_md = nullptr;
  const MdRecord* get_md = nullptr;
  uint64_t physical = 0;
};

namespace internal {

// Returns true if [offset, offset + length) lies in the descriptor.
inline bool Holds(const MdRecord& md, uint64_t offset, uint64_t length) {
  return offset <= md.length && length <= md.length - offset;
}

inline bool AckFits(const MdRecord& md, ptl_ack_req_t ack) {
  switch (ack) {
    case PTL_NO_ACK_REQ:
      return true;
    case PTL_ACK_REQ:
      return md.eq != kNoRef;
    case PTL_CT_ACK_REQ:
    case PTL_OC_ACK_REQ:
      return md.ct != kNoRef;
    default:
      return false;
  }
}

// Returns true if the atomic operation exists, and the length is a multiple of
// an item's size.
bool ItemsFit(const Arguments& arguments);
// Returns true if the arguments are valid for an atomic operation within the
// limits. Takes a copy, so that the arguments of other operations need not be
// in memory.
bool AtomicFits(const ptl_ni_limits_t& limits, Arguments arguments);
// Returns true if the length is within the limits, also for a volatile
// descriptor. `put_md` is the descriptor of the data, or null for a get.
inline bool LengthFits(const ptl_ni_limits_t& limits, const MdRecord* put_md,
                       const Arguments& arguments) {
  if (put_md != nullptr && (put_md->options & PTL_MD_VOLATILE) != 0 &&
      arguments.length > limits.max_volatile_size) {
    return false;
  }
  if (arguments.kind == OperationKind::kPut ||
      arguments.kind == OperationKind::kGet)
    return arguments.length <= limits.max_msg_size;
  return AtomicFits(limits, arguments);
}

// Finds the descriptors that this kind of operation needs. Returns false unless
// the descriptors belong to one interface and contain the bytes of the
// operation.
[[gnu::always_inline]] inline bool FindMds(const Arguments& arguments,
                                           Objects& objects) {
  if (arguments.kind != OperationKind::kGet) {
    const Named<MdRecord> md = FindMd(arguments.put_md);
    if (!md || !Holds(*md, arguments.put_offset, arguments.length) ||
        !AckFits(*md, arguments.ack)) {
      return false;
    }
    objects.interface = md.interface;
    objects.put_md = md.record;
  }
  if (Fetches(arguments.kind)) {
    const Named<MdRecord> md = FindMd(arguments.get_md);
    if (!md || !Holds(*md, arguments.get_offset, arguments.length) ||
        (objects.interface != nullptr && objects.interface != md.interface)) {
      return false;
    }
    objects.interface = md.interface;
    objects.get_md = md.record;
  }
  return true;
}

}  // namespace internal

// Checks the arguments, and finds the objects that the arguments name. Returns
// PTL_OK or PTL_ARG_INVALID.
//
// Check and CallOf are inlined, so that constant arguments cost nothing and
// each field is written once.
[[gnu::always_inline]] inline int Check(const Arguments& arguments,
                                        Objects& objects) {
  if (!internal::FindMds(arguments, objects)) return PTL_ARG_INVALID;
  const Interface& interface = *objects.interface;
  if (!internal::LengthFits(interface.limits(), objects.put_md, arguments) ||
      !interface.Resolve(arguments.target, objects.physical) ||
      arguments.pt == PTL_PT_ANY) {
    return PTL_ARG_INVALID;
  }
  return PTL_OK;
}
// Makes a PreparedOperation from arguments that Check has accepted.
[[gnu::always_inline]] inline PreparedOperation CallOf(
    const Arguments& arguments, const Objects& objects) {
  const Interface& interface = *objects.interface;
  return {
      .interface = objects.interface,
      .request = {.put_md = objects.put_md,
                  .get_md = objects.get_md,
                  .put_ref = objects.put_md != nullptr ? RefOf(arguments.put_md)
                                                       : kNoRef,
                  .get_ref = objects.get_md != nullptr ? RefOf(arguments.get_md)
                                                       : kNoRef,
                  .ack = arguments.ack,
                  .user_ptr = reinterpret_cast<uint64_t>(arguments.user_ptr)},
      .operation = {.kind = arguments.kind,
                    .pt = arguments.pt,
                    .uid = interface.identity().uid,
                    .operation = arguments.operation,
                    .datatype = arguments.datatype,
                    .match_bits = arguments.match_bits,
                    .remote_offset = arguments.remote_offset,
                    .length = arguments.length,
                    .hdr_data = arguments.hdr_data,
                    .initiator = interface.initiator(),
                    .source = {},
                    .source_offset = arguments.put_offset,
                    .sink = {},
                    .sink_offset = arguments.get_offset,
                    .operand = arguments.operand},
      .target = arguments.target,
      .physical = objects.physical};
}

// Does the operation of a call.
void Perform(PreparedOperation& call);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_REQUEST_H_
