// Scatter and gather of small blocks among hosts with several nodes. One node
// of each host is its leader. One message between the root and each other
// leader holds the blocks of all nodes of that leader's host, in order of
// block.
//
//   scatter   One phase: the root sends to the leaders. A leader forwards the
//             blocks once its whole message has arrived.
//   gather    Two phases: nodes send to their leaders, then leaders send to
//             the root.
//
// The root is the leader of its own host. It exchanges single blocks with the
// nodes of its host, in the last phase. If the blocks of another host are
// contiguous in the root's area, they are sent from that area or received there
// directly. Otherwise the root copies them.
#ifndef COLL_ALGORITHMS_LED_H_
#define COLL_ALGORITHMS_LED_H_

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coll/phase.h"
#include "core/rank.h"

namespace gasnet::coll::algorithms {

struct LedBlock {
  Rank leader = 0;
  uint32_t block = 0;
  auto operator<=>(const LedBlock&) const = default;
};
// The blocks of one leader, or of all leaders.
using LedBlocks = std::span<const LedBlock>;

inline Rank LeaderOf(const OperationPhase& at, Rank node) {
  return at.team.LeaderOf(node, at.request.root);
}

// Returns blocks sorted by leader. On the root these are the blocks of all
// other leaders; elsewhere, the blocks of this node's own leader.
inline std::vector<LedBlock> FindLedBlocks(const OperationPhase& at) {
  const Rank mine = LeaderOf(at, at.me());
  std::vector<LedBlock> found;
  for (size_t k = 0; k < at.Blocks(); ++k) {
    const Rank leader = LeaderOf(at, at.OwnerOf(k));
    if (at.IsRoot() == (leader == mine)) continue;
    found.push_back({leader, static_cast<uint32_t>(k)});
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Calls f(blocks, before) once for each leader. `blocks` are the leader's
// blocks. `before` is the number of blocks that precede them in `all`.
template <class F>
void ForLeaders(LedBlocks all, F f) {
  for (size_t first = 0; first < all.size();) {
    size_t end = first + 1;
    while (end < all.size() && all[end].leader == all[first].leader) ++end;
    f(all.subspan(first, end - first), first);
    first = end;
  }
}

inline bool FollowEachOther(LedBlocks blocks) {
  return blocks.back().block - blocks.front().block == blocks.size() - 1;
}

// Calls f(block, owner) for the blocks of other nodes whose leader is this
// node.
template <class F>
void ForOwnHost(const OperationPhase& at, F f) {
  for (size_t k = 0; k < at.Blocks(); ++k) {
    const Rank owner = at.OwnerOf(k);
    if (owner != at.me() && LeaderOf(at, owner) == at.me()) f(k, owner);
  }
}

}  // namespace gasnet::coll::algorithms

#endif  // COLL_ALGORITHMS_LED_H_
