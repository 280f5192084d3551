// A crowd is a team of several nodes that share memory and have fewer
// processors than nodes. In a crowd one node, the center, relays meetings. It
// also relays operations in which all nodes send small parts to all nodes.
#ifndef COLL_CROWD_H_
#define COLL_CROWD_H_

#include "coll/settings.h"
#include "coll/team.h"
#include "core/rank.h"

namespace gasnet::coll {

inline constexpr Rank kCenter = 0;

inline bool IsCrowd(const Team& team, const CollSettings& settings) {
  return team.nodes() >= settings.central_from && team.running() < team.nodes();
}

}  // namespace gasnet::coll

#endif  // COLL_CROWD_H_
