// Moves the data of an operation: copies it, or combines it item by item.
#ifndef PORTALS_ENGINE_MOVE_H_
#define PORTALS_ENGINE_MOVE_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Moves `size` bytes between the operation's memory and the target's `memory`,
// from `offset` on. Returns false if some of the memory does not exist.
bool Move(PeerInterface& target, const PortalsOperation& operation,
          const Extent& memory, uint64_t offset, uint64_t size);

// Does the same as Move for short data. Makes no system call, so the caller may
// hold a lock. Returns false if it has moved nothing; then the caller uses
// Move.
bool MoveAtOnce(PeerInterface& target, const PortalsOperation& operation,
                const Extent& memory, uint64_t offset, uint64_t size);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_MOVE_H_
