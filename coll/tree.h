// A tree gives a node its parent, from which a broadcast comes, and its
// children, to which it passes it on.
//
// A host has one node that talks to other hosts, its leader: the root on its
// own host, elsewhere the first one of the team. Among leaders the tree is the
// best one of the LogP model (Karp, Sahay, Santos, Schauser 1993) for A = L /
// max(o, g), which is kLatency: each node that has the data sends to one more
// each step, and who has been sent to can send A steps later. Within a host the
// leader sends to all. Pipelined broadcasts of many segments use a chain of the
// leaders: each sends every byte once.
#ifndef COLL_TREE_H_
#define COLL_TREE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/rank.h"

namespace gasnet::coll {

struct Tree {
  Rank parent = 0;             // of the root: itself
  std::vector<Rank> children;  // in order of sending
};

// Among leaders.
enum class Shape : uint8_t { kBest, kChain };

// hosts: by node. All nodes get consistent trees.
Tree MakeTree(std::span<const uint32_t> hosts, Rank root, Rank me,
              Shape shape = Shape::kBest);

// By position among n leaders, 0 the root: whom each is sent to by, and in
// which step it has the data.
struct Place {
  uint32_t parent = 0;
  uint32_t step = 0;
};
std::vector<Place> BestBroadcast(uint32_t n, uint32_t latency);
std::vector<Place> Chain(uint32_t n);

}  // namespace gasnet::coll

#endif  // COLL_TREE_H_
