#include "portals/api/request.h"

#include "portals/api/given_job.h"
#include "portals/engine/arithmetic.h"
#include "portals/engine/due.h"

namespace gasnet::portals4 {

bool internal::ItemsFit(const Arguments& arguments) {
  const size_t size = SizeOfType(arguments.datatype);
  if (arguments.kind != OperationKind::kSwap) {
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

bool internal::AtomicFits(const ptl_ni_limits_t& limits, Arguments arguments) {
  const ptl_size_t most = arguments.kind == OperationKind::kAtomic
                              ? limits.max_atomic_size
                              : limits.max_fetch_atomic_size;
  return arguments.length <= most && ItemsFit(arguments);
}

void Perform(PreparedOperation& call) {
  PeerInterface& own = call.interface->own();
  if (GetCarrier() == nullptr ||
      !Carry(own, call.request, call.operation, call.physical, true)) {
    Initiate(own, call.request, call.operation,
             call.interface->Find(call.target, call.physical));
  }
  if (AnythingDue()) RunDueTriggers();
}

}  // namespace gasnet::portals4
