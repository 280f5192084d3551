#include "portals/engine/move.h"

#include <algorithm>
#include <cstring>

#include "absl/base/thread_annotations.h"
#include "portals/engine/arithmetic.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

inline void CopyShort(std::byte* to, const std::byte* from, uint64_t size) {
  if (size == 8) [[likely]] {
    std::memcpy(to, from, 8);
  } else {
    std::memmove(to, from, size);
  }
}

// The buffers for a chunk. A chunk consists of items under the same lock. The
// first bytes of these items lie in the same unit (kAtomicUnit) and in the same
// element of an iovec.
struct Chunk {
  std::byte source[kAtomicUnit + 32];
  std::byte target[kAtomicUnit + 32];
};

// Combines `size` bytes of chunk.source with `memory` at `offset`. The caller
// holds the chunk's lock.
bool CombineHere(const PortalsOperation& operation, const Extent& memory,
                 uint64_t offset, uint64_t size, Chunk& chunk, bool keeps_old) {
  std::byte* const at = Touchable(memory, offset, size, Access::kWrite);
  if (at == nullptr && !CopyOut(chunk.target, memory, offset, size)) {
    return false;
  }
  std::byte* const items = at != nullptr ? at : chunk.target;
  std::byte old[sizeof chunk.target];
  if (keeps_old) std::memcpy(old, items, size);
  Combine(operation.operation, operation.datatype, items, chunk.source, size,
          operation.operand);
  if (at == nullptr && !CopyIn(memory, offset, items, size)) return false;
  if (keeps_old) std::memcpy(chunk.target, old, size);
  return true;
}

// An address in the owner's memory. `left` is the number of bytes from there to
// the end of the unit or of the iovec element, if that is nearer. The next unit
// has another lock.
struct OwnerPlace {
  uint64_t address;
  uint64_t left;
};

OwnerPlace WithinUnit(uint64_t address, uint64_t left) {
  return {address, std::min(left, kAtomicUnit - address % kAtomicUnit)};
}

OwnerPlace PlaceAt(const Extent& memory, uint64_t offset) {
  if (memory.iov == nullptr) {
    return WithinUnit(memory.start + offset, kAtomicUnit);
  }
  for (uint32_t i = 0; i < memory.iov_count; ++i) {
    const IovRecord element = memory.iov[i];
    if (offset < element.length) {
      return WithinUnit(element.start + offset, element.length - offset);
    }
    offset -= element.length;
  }
  // The offset lies behind the last element. CopyOut then fails.
  return WithinUnit(0, kAtomicUnit);
}

// The way to take the lock of a chunk. kNone: all items must lie in one chunk,
// and MoveItems fails at once if the chunk's lock is taken.
enum class LockPatience : bool { kNone, kEndless };

bool Acquire(SharedLock& lock, LockPatience patience)
    ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, lock) {
  return patience == LockPatience::kNone ? lock.TryAcquire()
                                         : lock.Acquire(DeadHolder::kTakeOver);
}

bool MoveItems(PeerInterface& target, const PortalsOperation& operation,
               const Extent& memory, uint64_t offset, uint64_t size,
               LockPatience patience) {
  const bool fetches = Fetches(operation.kind);
  const uint64_t item = SizeOfType(operation.datatype);
  size -= size % item;
  Chunk chunk;
  for (uint64_t done = 0; done < size;) {
    const OwnerPlace place = PlaceAt(memory, offset + done);
    const uint64_t part =
        std::min(size - done, (place.left + item - 1) / item * item);
    if (!CopyOut(chunk.source, operation.source, operation.source_offset + done,
                 part)) {
      return false;
    }
    SharedLock& lock = target.view.AtomicLock(place.address);
    if (!Acquire(lock, patience)) return false;
    const bool combined =
        CombineHere(operation, memory, offset + done, part, chunk, fetches);
    lock.Release();
    if (!combined) return false;
    if (fetches && !CopyIn(operation.sink, operation.sink_offset + done,
                           chunk.target, part)) {
      return false;
    }
    done += part;
  }
  return true;
}

// Returns true if MoveItems would make no system call and take at most one
// lock. It can then fail only because that lock is taken.
bool CanCombineAtOnce(const PortalsOperation& operation, const Extent& memory,
                      uint64_t offset, uint64_t size) {
  return size <= PlaceAt(memory, offset).left &&
         Touchable(memory, offset, size, Access::kWrite) != nullptr &&
         Touchable(operation.source, operation.source_offset, size,
                   Access::kRead) != nullptr &&
         (!Fetches(operation.kind) ||
          Touchable(operation.sink, operation.sink_offset, size,
                    Access::kWrite) != nullptr);
}

}  // namespace

bool MoveAtOnce(PeerInterface& target, const PortalsOperation& operation,
                const Extent& memory, uint64_t offset, uint64_t size) {
  if (size == 0) return true;
  if (size > kMovedUnderLock) return false;
  if (operation.kind > OperationKind::kGet) {
    return CanCombineAtOnce(operation, memory, offset, size) &&
           MoveItems(target, operation, memory, offset, size,
                     LockPatience::kNone);
  }
  const bool put = operation.kind == OperationKind::kPut;
  std::byte* const there =
      Touchable(memory, offset, size, put ? Access::kWrite : Access::kRead);
  if (there == nullptr) return false;
  std::byte* const here =
      put ? Touchable(operation.source, operation.source_offset, size,
                      Access::kRead)
          : Touchable(operation.sink, operation.sink_offset, size,
                      Access::kWrite);
  if (here == nullptr) return false;
  CopyShort(put ? there : here, put ? here : there, size);
  return true;
}

bool Move(PeerInterface& target, const PortalsOperation& operation,
          const Extent& memory, uint64_t offset, uint64_t size) {
  switch (operation.kind) {
    case OperationKind::kPut:
      return Copy(memory, offset, operation.source, operation.source_offset,
                  size);
    case OperationKind::kGet:
      return Copy(operation.sink, operation.sink_offset, memory, offset, size);
    default:
      return MoveItems(target, operation, memory, offset, size,
                       LockPatience::kEndless);
  }
}

}  // namespace gasnet::portals4
