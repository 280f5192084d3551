#include "portals/api/request.h"

#include "portals/engine/arithmetic.h"
#include "portals/engine/due.h"

namespace gasnet::portals4 {
namespace {

// [offset, offset + length) lies in the descriptor.
bool Holds(const MdRecord& md, uint64_t offset, uint64_t length) {
  return offset <= md.length && length <= md.length - offset;
}

bool AckFits(const MdRecord& md, ptl_ack_req_t ack) {
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

bool ItemsFit(const Arguments& arguments) {
  const size_t size = SizeOfType(arguments.datatype);
  if (arguments.kind != Kind::kSwap) {
    return IsAtomicFor(arguments.operation, arguments.datatype) &&
           arguments.length % size == 0;
  }
  bool needs_operand = false;
  if (!IsSwapFor(arguments.operation, arguments.datatype, needs_operand) ||
      arguments.length % size != 0) {
    return false;
  }
  return !needs_operand ||
         (arguments.operand != nullptr && arguments.length <= size);
}

bool LengthFits(const ptl_ni_limits_t& limits, const Arguments& arguments) {
  switch (arguments.kind) {
    case Kind::kPut:
    case Kind::kGet:
      return arguments.length <= limits.max_msg_size;
    case Kind::kAtomic:
      return arguments.length <= limits.max_atomic_size && ItemsFit(arguments);
    default:
      return arguments.length <= limits.max_fetch_atomic_size &&
             ItemsFit(arguments);
  }
}

// The descriptors that the kind has, of one interface.
bool FindMds(const Arguments& arguments, Call& call) {
  if (arguments.kind != Kind::kGet) {
    const Named<MdRecord> md = FindMd(arguments.put_md);
    if (!md || !Holds(*md, arguments.put_offset, arguments.length) ||
        !AckFits(*md, arguments.ack)) {
      return false;
    }
    call.interface = md.interface;
    call.request.put_md = md.record;
    call.request.put_ref = RefOf(arguments.put_md);
  }
  if (Fetches(arguments.kind)) {
    const Named<MdRecord> md = FindMd(arguments.get_md);
    if (!md || !Holds(*md, arguments.get_offset, arguments.length) ||
        (call.interface != nullptr && call.interface != md.interface)) {
      return false;
    }
    call.interface = md.interface;
    call.request.get_md = md.record;
    call.request.get_ref = RefOf(arguments.get_md);
  }
  return true;
}

}  // namespace

int Check(const Arguments& arguments, Call& call) {
  if (!FindMds(arguments, call)) return PTL_ARG_INVALID;
  const Interface& interface = *call.interface;
  if (!LengthFits(interface.limits(), arguments) ||
      !interface.Resolve(arguments.target, call.physical) ||
      arguments.pt == PTL_PT_ANY) {
    return PTL_ARG_INVALID;
  }
  call.target = arguments.target;
  call.request.ack = arguments.ack;
  call.request.user_ptr = reinterpret_cast<uint64_t>(arguments.user_ptr);
  Operation& operation = call.operation;
  operation.kind = arguments.kind;
  operation.pt = arguments.pt;
  operation.uid = interface.identity().uid;
  operation.operation = arguments.operation;
  operation.datatype = arguments.datatype;
  operation.match_bits = arguments.match_bits;
  operation.remote_offset = arguments.remote_offset;
  operation.length = arguments.length;
  operation.hdr_data = arguments.hdr_data;
  operation.initiator = interface.initiator();
  operation.source_offset = arguments.put_offset;
  operation.sink_offset = arguments.get_offset;
  operation.operand = arguments.operand;
  return PTL_OK;
}

void Perform(Call& call) {
  Peer& own = call.interface->own();
  if (!Carry(own, call.request, call.operation, call.physical, true)) {
    Initiate(own, call.request, call.operation,
             call.interface->Find(call.target, call.physical));
  }
  if (AnythingDue()) RunDueTriggers();
}

}  // namespace gasnet::portals4
