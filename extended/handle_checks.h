// Finds the operation of a client's handle. In debug builds an invalid handle
// ends the job with a message that names the call and the handle. A handle is
// invalid in these cases:
// - It never was a handle.
// - It was synced before. The check misses this case only if the record has
//   since been used again a multiple of 64 times.
// - It belongs to another thread. Calls of GASNet-EX accept such handles,
//   since events belong to no thread.
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
