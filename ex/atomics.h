// Atomics on other ranks' memory. There are three ways:
//
// - If this process maps the target, it performs the operation itself. The
//   operation is complete when the call returns.
// - If the network performs atomics on the target's segment (core/rma/rma.h),
//   it does (native_atomic.h), and the target need not poll.
// - Otherwise this process sends a Short request, and the request's handler
//   performs the operation at the target. The handler acknowledges SET like a
//   put. It answers GET and fetching operations with the old value, and others
//   without a value.
//
// The first and the third use the processor's atomic on host memory
// (atomic_apply.h), and the network's atomics are coherent with it. So all mix
// freely. One rank may map a target that another rank reaches by messages, and
// that the target's own rank accesses directly.
//
// Among implicit operations SET is a put and GET is a get. All others are
// counted separately (Iop::RmwsDone).
//
// A handler may run on any thread. Before it touches memory, it checks the
// whole request: the type, the operation, and that the target is aligned and in
// this rank's segment.
//
// The callers have checked the arguments: see export/ex/atomic_checks.h. If the
// Attempt is null, a call waits for room (extended/attempt.h).
#ifndef EX_ATOMICS_H_
#define EX_ATOMICS_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/rank.h"
#include "core/runtime/runtime.h"
#include "ex/atomic_apply.h"
#include "extended/attempt.h"
#include "extended/operations.h"
#include "gasnet_fwd.h"

namespace gasnet::ex {

// An operation, with its operands as bits.
struct AtomicRequest {
  gex_DT_t type;
  gex_OP_t operation;
  void* target;
  uint64_t operand1;
  uint64_t operand2;
  void* result;   // destination of the old value, if fetched
  size_t nbytes;  // the size of the type in bytes
};

class Atomics {
 public:
  // Starts an operation with a handle of its own. Returns null if the operation
  // is already complete or is refused.
  template <class T>
  static extended::Operation* StartNb(Rank node, T* result, void* target,
                                      gex_OP_t operation, T operand1,
                                      T operand2,
                                      extended::Attempt* attempt = nullptr) {
    if (ApplyMapped(node, result, target, operation, operand1, operand2))
      return nullptr;
    return StartFar(node, Pack(result, target, operation, operand1, operand2),
                    nullptr, attempt);
  }
  // Starts an implicit operation, which has no handle of its own.
  template <class T>
  static void StartNbi(Rank node, T* result, void* target, gex_OP_t operation,
                       T operand1, T operand2,
                       extended::Attempt* attempt = nullptr) {
    if (ApplyMapped(node, result, target, operation, operand1, operand2))
      return;
    StartFar(node, Pack(result, target, operation, operand1, operand2),
             &extended::Operations::Mine().current(), attempt);
  }

  // Registers the handlers of the primordial endpoint.
  static void RegisterHandlers();

 private:
  template <class T>
  static bool ApplyMapped(Rank node, T* result, void* target,
                          gex_OP_t operation, T operand1, T operand2) {
    void* const local = runtime->peers()[node].Find(target);
    if (local == nullptr) return false;
    Apply(operation, local, result, operand1, operand2);
    return true;
  }

  template <class T>
  static AtomicRequest Pack(T* result, void* target, gex_OP_t operation,
                            T operand1, T operand2) {
    return {.type = TypeOf<T>(),
            .operation = operation,
            .target = target,
            .operand1 = std::bit_cast<BitsOf<T>>(operand1),
            .operand2 = std::bit_cast<BitsOf<T>>(operand2),
            .result = result,
            .nbytes = sizeof(T)};
  }

  // Starts an operation on memory that is not mapped here. The operation
  // becomes a part of iop, or has a handle of its own if iop is null. Returns
  // null if it is refused.
  static extended::Operation* StartFar(Rank node, const AtomicRequest& request,
                                       extended::Iop* iop,
                                       extended::Attempt* attempt);
};

}  // namespace gasnet::ex

#endif  // EX_ATOMICS_H_
