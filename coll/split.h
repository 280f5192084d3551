// A split finds the teams that the nodes of a team form, from the wish of each.
#ifndef COLL_SPLIT_H_
#define COLL_SPLIT_H_

#include <cstdint>
#include <vector>

#include "coll/team.h"

namespace gasnet::coll {

struct SplitWish {
  uint32_t color = 0;
  uint32_t rank = 0;
  uint32_t next_id = 0;  // free on that node, and all above
  uint32_t reserved = 0;
};

struct SplitResult {
  uint32_t id = 0;
  std::vector<Rank> ranks;  // of the job
  std::vector<uint32_t> images;
};

// The team of this node. Ids are the same for all teams of one split, and free
// on all nodes of the parent: what is known of two teams with one id never
// meets, since no node is in both. Fatal when there are none left.
SplitResult SplitTeam(const Team& parent, const std::vector<SplitWish>& wishes);

}  // namespace gasnet::coll

#endif  // COLL_SPLIT_H_
