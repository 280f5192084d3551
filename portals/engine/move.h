// The data of an operation: copied, or combined item by item.
#ifndef PORTALS_ENGINE_MOVE_H_
#define PORTALS_ENGINE_MOVE_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Moves `size` bytes between the operation's memory and that at an offset of
// `memory`, which is the target's. False where some memory is not there.
bool Move(Peer& target, const Operation& operation, const Extent& memory,
          uint64_t offset, uint64_t size);

// The same, for what is short and needs no system call, so that it may be done
// under a lock. False: nothing has happened.
bool MoveAtOnce(Peer& target, const Operation& operation, const Extent& memory,
                uint64_t offset, uint64_t size);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_MOVE_H_
