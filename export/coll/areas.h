// The checks of debug builds on the memory that one node gives to a collective:
// that it lies where the flags say, and that destinations overlap nothing else
// of the call, except where a source may lie in its own place.
#ifndef EXPORT_COLL_AREAS_H_
#define EXPORT_COLL_AREAS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "coll/request.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet::exported {

// Where a node stands in a call.
struct Place {
  Rank node = 0;   // index in the team
  Rank nodes = 0;  // of the team
  bool is_root = false;
  std::vector<size_t> mine;  // numbers of its blocks, in order
  size_t total = 0;          // blocks of all nodes
};

void CheckAreas(const coll::Request& request, const Place& place,
                const Segment& segment);

// Of a reduction or prefixes of unequal contributions (coll/unequal.h), of a
// team where this node is `me`.
void CheckUnequalAreas(const coll::Request& request, Rank me,
                       const Segment& segment);

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_AREAS_H_
