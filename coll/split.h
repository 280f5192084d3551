// Splits a team into new teams according to each node's wish.
#ifndef COLL_SPLIT_H_
#define COLL_SPLIT_H_

#include <cstdint>
#include <vector>

#include "coll/team.h"

namespace gasnet::coll {

struct SplitWish {
  uint32_t color = 0;
  uint32_t rank = 0;
  uint32_t next_id = 0;  // this id and all above are free on that node
  uint32_t reserved = 0;
};

struct SplitResult {
  uint32_t id = 0;
  std::vector<Rank> ranks;  // of the job
  std::vector<uint32_t> images;
};

// Returns the new team of this node. All teams of one split have the same id,
// which is free on all nodes of the parent. Teams with the same id do not
// conflict, since no node is in two of them. Fatal if no id is left.
SplitResult SplitTeam(const Team& parent, const std::vector<SplitWish>& wishes);

}  // namespace gasnet::coll

#endif  // COLL_SPLIT_H_
