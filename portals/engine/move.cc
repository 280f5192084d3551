#include "portals/engine/move.h"

#include <algorithm>
#include <cstring>

#include "absl/base/thread_annotations.h"
#include "portals/engine/arithmetic.h"
#include "portals/memory/help.h"
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

// The buffers for a chunk. A chunk consists of items under the same lock. They
// lie in the same unit (kAtomicUnit) and in the same element of an iovec. An
// item that crosses the end of a unit or element is a chunk, and has the lock
// of its first byte.
struct Chunk {
  std::byte source[kAtomicUnit];
  std::byte old[kAtomicUnit];  // the target's previous items
};

// Combines items in one piece of memory that this process cannot touch. The
// memory's owner combines them, since only the owner can use locked
// instructions.
bool CombineByOwner(PeerInterface& target, const PortalsOperation& operation,
                    uint64_t address, uint64_t size, Chunk& chunk) {
  HelpItems request;
  request.operation = operation.operation;
  request.datatype = operation.datatype;
  if (operation.operand != nullptr) {
    std::memcpy(request.operand, operation.operand,
                SizeOfType(operation.datatype));
  }
  std::memcpy(request.items, chunk.source, size);
  const bool combined = target.space.own()
                            ? CombineOwn(address, size, request)
                            : AskToCombine(target.view, address, size, request);
  if (combined) std::memcpy(chunk.old, request.items, size);
  return combined;
}

// Combines items in memory that this process cannot touch, without locked
// instructions.
bool CombineCopies(const PortalsOperation& operation, const Extent& memory,
                   uint64_t offset, uint64_t size, Chunk& chunk) {
  std::byte items[sizeof chunk.source];
  if (!CopyOut(items, memory, offset, size)) return false;
  Combine(operation.operation, operation.datatype, items, chunk.source, size,
          operation.operand, chunk.old);
  return CopyIn(memory, offset, items, size);
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
  // The offset lies behind the last element. There is no memory at address 0.
  return WithinUnit(0, kAtomicUnit);
}

// Returns the size of the chunk that begins at a place. `left` is the number of
// bytes that are not combined yet. An item that does not end within
// `place.left` has a chunk of its own.
uint64_t SizeOfChunk(const OwnerPlace& place, uint64_t item, uint64_t left) {
  return std::min(left, std::max<uint64_t>(place.left / item, 1) * item);
}

// Combines `size` bytes of chunk.source with `memory` at `offset`. The caller
// holds the chunk's lock.
bool CombineHere(PeerInterface& target, const PortalsOperation& operation,
                 const Extent& memory, uint64_t offset, uint64_t size,
                 const OwnerPlace& place, Chunk& chunk) {
  std::byte* const at = Touchable(memory, offset, size, Access::kWrite);
  if (at != nullptr) {
    Combine(operation.operation, operation.datatype, at, chunk.source, size,
            operation.operand, chunk.old);
    return true;
  }
  // An item in two elements of an iovec is no word of the processor.
  if (target.view.header().coherent != 0 && size <= place.left) {
    return CombineByOwner(target, operation, place.address, size, chunk);
  }
  return CombineCopies(operation, memory, offset, size, chunk);
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
    const uint64_t part = SizeOfChunk(place, item, size - done);
    if (!CopyOut(chunk.source, operation.source, operation.source_offset + done,
                 part)) {
      return false;
    }
    SharedLock& lock = target.view.AtomicLock(place.address);
    if (!Acquire(lock, patience)) return false;
    const bool combined = CombineHere(target, operation, memory, offset + done,
                                      part, place, chunk);
    lock.Release();
    if (!combined) return false;
    if (fetches && !CopyIn(operation.sink, operation.sink_offset + done,
                           chunk.old, part)) {
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
