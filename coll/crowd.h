// A crowd are several nodes that share memory, and fewer processors. In a crowd
// small parts of all for all, and meetings, go by way of one node, the center.
#ifndef COLL_CROWD_H_
#define COLL_CROWD_H_

#include "coll/settings.h"
#include "coll/team.h"
#include "core/rank.h"

namespace gasnet::coll {

inline constexpr Rank kCenter = 0;

inline bool IsCrowd(const Team& team, const Settings& settings) {
  return team.nodes() >= settings.central_from && team.running() < team.nodes();
}

}  // namespace gasnet::coll

#endif  // COLL_CROWD_H_
