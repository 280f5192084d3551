// Scatter and gather of small blocks among hosts of several nodes: one message
// between the root and each other host, which holds the blocks of all its
// nodes, in their order.
//
//   scatter   one phase: to the leaders, which pass on each block when all of
//             theirs have come
//   gather    two phases: to the leaders; from these to the root
//
// The root is the leader of its own host, whose nodes it gets and sends blocks
// of by themselves, in the last phase. The blocks of a host stay where they are
// in the root's area if they follow each other there, else they are copied.
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
// Of one leader, or the part of a list that is one leader's.
using LedBlocks = std::span<const LedBlock>;

inline Rank LeaderOf(const Phase& at, Rank node) {
  return at.team.LeaderOf(node, at.request.root);
}

// By leader: on the root those of all others, else those of this node's own.
inline std::vector<LedBlock> FindLedBlocks(const Phase& at) {
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

// Calls f(blocks, before) for those of each leader, and how many come before.
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

// Calls f(block, owner) for those of other nodes that this one leads.
template <class F>
void ForOwnHost(const Phase& at, F f) {
  for (size_t k = 0; k < at.Blocks(); ++k) {
    const Rank owner = at.OwnerOf(k);
    if (owner != at.me() && LeaderOf(at, owner) == at.me()) f(k, owner);
  }
}

}  // namespace gasnet::coll::algorithms

#endif  // COLL_ALGORITHMS_LED_H_
