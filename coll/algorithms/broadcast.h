// A broadcast, which is also the end of some reductions.
#ifndef COLL_ALGORITHMS_BROADCAST_H_
#define COLL_ALGORITHMS_BROADCAST_H_

#include <cstddef>

#include "coll/phase.h"
#include "core/rank.h"

namespace gasnet::coll::algorithms {

// From that node's `from`, which on others is `to`, to `to` of all others.
void PassDown(Phase& at, Rank root, const std::byte* from, std::byte* to);

}  // namespace gasnet::coll::algorithms

#endif  // COLL_ALGORITHMS_BROADCAST_H_
