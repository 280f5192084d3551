#include "extended/handle_checks.h"

#include <cinttypes>

#include "base/log.h"
#include "extended/operations.h"
#include "extended/record_table.h"

namespace gasnet::extended::internal {
namespace {

const Operations& OwnerOf(const Operation& operation) {
  return operation.shape == Operation::Shape::kTransfer
             ? *static_cast<const Transfer&>(operation).owner
             : *static_cast<const Iop&>(operation).owner;
}

// Returns true if the record is an operation that its owner has yet to sync.
bool IsLive(const Operation& operation) {
  if (operation.shape == Operation::Shape::kIop)
    return static_cast<const Iop&>(operation).in_use;
  const auto& transfer = static_cast<const Transfer&>(operation);
  return (transfer.word.load(std::memory_order_relaxed) & 3) !=
             Transfer::kIdle &&
         transfer.iop == nullptr;
}

bool IsValget(const Operation& operation) {
  return operation.shape == Operation::Shape::kTransfer &&
         static_cast<const Transfer&>(operation).is_valget;
}

}  // namespace

void CheckHandle(const char* call, uintptr_t handle, HandleKind kind) {
  const Operation* const operation =
      RecordTable::Mine().FindRecord(handle & ~kHandleTag);
  if (operation == nullptr) {
    Fatal("%s: handle 0x%" PRIxPTR
          " was never returned by a non-blocking operation",
          call, handle);
  }
  const Operations& owner = OwnerOf(*operation);
  if (&owner != &Operations::Mine()) {
    Fatal("%s: handle 0x%" PRIxPTR
          " belongs to another thread (thread %u, this is thread %u); only the "
          "thread that started an operation may sync it",
          call, handle, owner.thread_index(),
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
