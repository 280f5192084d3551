// The operation of a client's handle. In debug builds an invalid handle ends
// the job with a message that names the call and the handle: one that never was
// a handle, was synced before, or belongs to another thread. A call of
// GASNet-EX takes handles of other threads, since its events belong to no
// thread. (A handle that was synced before is missed only if its record was
// reused a multiple of 64 times since.)
#ifndef EXTENDED_HANDLE_CHECKS_H_
#define EXTENDED_HANDLE_CHECKS_H_

#include <cstdint>

#include "core/thread/mode.h"
#include "extended/operation.h"

namespace gasnet::extended {

namespace internal {
enum class HandleKind : uint8_t { kOperation, kValget };
void CheckHandle(const char* call, uintptr_t handle, HandleKind kind);
}  // namespace internal

// Returns the operation of a handle that is not null.
inline Operation& CheckedOperation(const char* call, Handle handle) {
  if constexpr (thread::kChecks) {
    internal::CheckHandle(call, reinterpret_cast<uintptr_t>(handle),
                          internal::HandleKind::kOperation);
  }
  return FromHandle(handle);
}

inline Transfer& CheckedValget(const char* call, ValueHandle handle) {
  if constexpr (thread::kChecks) {
    internal::CheckHandle(call, reinterpret_cast<uintptr_t>(handle),
                          internal::HandleKind::kValget);
  }
  return FromHandle(handle);
}

}  // namespace gasnet::extended

#endif  // EXTENDED_HANDLE_CHECKS_H_
