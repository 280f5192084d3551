// Splits a team into new teams. Each node says with a SplitWish which team it
// joins.
#ifndef COLL_SPLIT_H_
#define COLL_SPLIT_H_

#include <cstdint>
#include <vector>

#include "coll/team.h"

namespace gasnet::coll {

// The color and key that a node passes. Nodes with the same color form a team.
// The nodes of a team are ordered by key; nodes with equal keys keep their
// order in the parent.
struct SplitWish {
  int64_t color = kNone;
  int64_t key = 0;
  // id is the id that this node has chosen for its new team (team_table.h).
  // first is the lowest number that the team's first operation may have on this
  // node.
  uint32_t id = 0;
  uint32_t first = 1;

  // The color of a node that joins no team.
  static constexpr int64_t kNone = -1;
};

struct SplitResult {
  uint32_t first = 1;       // number of the team's first operation
  std::vector<Rank> ranks;  // job ranks
  std::vector<uint16_t> ids;
  std::vector<uint32_t> images;
};

// Returns the new team of this node. The node's color must not be kNone.
SplitResult SplitTeam(const Team& parent, const std::vector<SplitWish>& wishes);

}  // namespace gasnet::coll

#endif  // COLL_SPLIT_H_
