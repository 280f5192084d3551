// Expresses an operation of GASNet-EX by those that a network performs
// (core/rma/atomic.h).
//
// SET is a swap without a result, and GET an OR of 0. SUB, INC and DEC are
// additions. The difference of two floating-point numbers is their sum if the
// second has the other sign, with the same rounding. So no operation stays a
// message.
#ifndef EX_NATIVE_ATOMIC_H_
#define EX_NATIVE_ATOMIC_H_

#include <cstdint>

#include "core/rma/atomic.h"
#include "gasnet_fwd.h"

namespace gasnet::ex {

// Returns the operation, with its type and operands. The operation must be
// defined for the type. The caller fills in the other members.
rma::Atomic ExpressNatively(gex_DT_t type, gex_OP_t operation,
                            uint64_t operand1, uint64_t operand2);

}  // namespace gasnet::ex

#endif  // EX_NATIVE_ATOMIC_H_
