// A tree of nodes. In a broadcast, a node receives data from its parent and
// forwards it to its children.
//
// Each host has a leader, which communicates with other hosts. On the root's
// host the leader is the root; on other hosts it is the first node. Among
// leaders the tree is optimal in the LogP model (Karp, Sahay, Santos, Schauser
// 1993) for kLatency = L / max(o, g). Each node that has the data sends to one
// more node per step. A node that receives the data can send it kLatency steps
// later. Within a host the leader sends to all other nodes.
//
// Pipelined broadcasts of many segments use a chain of leaders. In a chain each
// leader sends every byte once.
#ifndef COLL_TREE_H_
#define COLL_TREE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/rank.h"

namespace gasnet::coll {

struct Tree {
  Rank parent = 0;             // the root is its own parent
  std::vector<Rank> children;  // in order of sending
};

// The shape of the tree among leaders.
enum class TreeShape : uint8_t { kBest, kChain };

// Makes the tree as seen by node `me`. hosts[i] is the host of node i. The
// results of all nodes describe one tree.
Tree MakeTree(std::span<const uint32_t> hosts, Rank root, Rank me,
              TreeShape shape = TreeShape::kBest);

// A leader's parent, and the step in which the leader has the data.
struct TreePlace {
  uint32_t parent = 0;
  uint32_t step = 0;
};
// Return the places of n leaders, indexed by position. Position 0 is the root.
// BestBroadcast makes the optimal tree, Chain a chain.
std::vector<TreePlace> BestBroadcast(uint32_t n, uint32_t latency);
std::vector<TreePlace> Chain(uint32_t n);

}  // namespace gasnet::coll

#endif  // COLL_TREE_H_
