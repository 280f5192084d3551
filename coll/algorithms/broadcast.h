// The broadcast. Some reductions use it as their last phase.
#ifndef COLL_ALGORITHMS_BROADCAST_H_
#define COLL_ALGORITHMS_BROADCAST_H_

#include <cstddef>

#include "coll/phase.h"
#include "core/rank.h"

namespace gasnet::coll::algorithms {

// Broadcasts from `from` on the root to `to` on all other nodes. On the other
// nodes, `from` equals `to`.
void PassDown(OperationPhase& at, Rank root, const std::byte* from,
              std::byte* to);

}  // namespace gasnet::coll::algorithms

#endif  // COLL_ALGORITHMS_BROADCAST_H_
