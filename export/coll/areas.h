// Debug checks of the memory that one node gives to a collective. The memory
// must lie where the call's flags say. A destination must overlap no other area
// of the call, except that a source may sometimes equal its destination.
#ifndef EXPORT_COLL_AREAS_H_
#define EXPORT_COLL_AREAS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "coll/request.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet::exported {

// The position of a node in a call.
struct NodePosition {
  Rank node = 0;   // index in the team
  Rank nodes = 0;  // number of nodes in the team
  bool is_root = false;
  std::vector<size_t> mine;  // indices of the node's blocks, in order
  size_t total = 0;          // number of blocks of all nodes
};

void CheckAreas(const coll::CollectiveRequest& request,
                const NodePosition& place, const Segment& segment);

// Checks the areas of a reduction or prefix reduction of unequal contributions
// (coll/unequal.h). `me` is this node's index in the team.
void CheckUnequalAreas(const coll::CollectiveRequest& request, Rank me,
                       const Segment& segment);

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_AREAS_H_
