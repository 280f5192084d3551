#include "extended/handle_checks.h"

#include <cinttypes>
#include <string_view>

#include "base/log.h"
#include "extended/operations.h"
#include "extended/record_table.h"

namespace gasnet::extended::internal {
namespace {

// Returns the owner of an operation, or null if it belongs to no thread.
const Operations* OwnerOf(const Operation& operation) {
  switch (operation.shape) {
    case Operation::Shape::kTransfer:
      return static_cast<const Transfer&>(operation).owner;
    case Operation::Shape::kIop:
      return static_cast<const Iop&>(operation).owner;
    case Operation::Shape::kLeaf:
    case Operation::Shape::kForeign:
      return nullptr;
  }
  __builtin_unreachable();
}

// Returns true if the record is in use as an operation that was not synced yet.
bool IsLive(const Operation& operation) {
  if (operation.shape == Operation::Shape::kIop)
    return static_cast<const Iop&>(operation).in_use;
  if (operation.shape != Operation::Shape::kTransfer) return true;
  const auto& transfer = static_cast<const Transfer&>(operation);
  return (transfer.word.load(std::memory_order_relaxed) & 3) !=
             Transfer::kIdle &&
         transfer.iop == nullptr;
}

bool IsValget(const Operation& operation) {
  return operation.shape == Operation::Shape::kTransfer &&
         static_cast<const Transfer&>(operation).is_valget;
}

// Returns true if the call is one of GASNet-EX. Such a call takes events, which
// belong to no thread.
bool SyncsAnyThreads(std::string_view call) { return call.starts_with("gex_"); }

}  // namespace

void CheckHandle(const char* call, uintptr_t handle, HandleKind kind) {
  const Operation* const operation =
      RecordTable::Mine().FindRecord(handle & ~kHandleTag);
  if (operation == nullptr) {
    Fatal("%s: handle 0x%" PRIxPTR
          " was never returned by a non-blocking operation, or its operation "
          "was synced before",
          call, handle);
  }
  const Operations* const owner = OwnerOf(*operation);
  if (owner != nullptr && owner != &Operations::Mine() &&
      !SyncsAnyThreads(call)) {
    Fatal("%s: handle 0x%" PRIxPTR
          " belongs to another thread (thread %u, this is thread %u); only the "
          "thread that started an operation may sync it",
          call, handle, owner->thread_index(),
          Operations::Mine().thread_index());
  }
  if (!IsLive(*operation) || HandleBits(*operation) != handle) {
    Fatal("%s: handle 0x%" PRIxPTR " is dead: its operation was synced before",
          call, handle);
  }
  if (IsValget(*operation) != (kind == HandleKind::kValget)) {
    Fatal("%s: handle 0x%" PRIxPTR
          " is of the wrong kind; gasnet_handle_t and gasnet_valget_handle_t "
          "may not be intermixed",
          call, handle);
  }
}

}  // namespace gasnet::extended::internal
