#include "coll/split.h"

#include <algorithm>

#include "base/log.h"

namespace gasnet::coll {

SplitResult SplitTeam(const Team& parent,
                      const std::vector<SplitWish>& wishes) {
  SplitResult result;
  std::vector<Rank> members;
  for (Rank index = 0; index < parent.nodes(); ++index) {
    result.id = std::max(result.id, wishes[index].next_id);
    if (wishes[index].color == wishes[parent.me()].color) {
      members.push_back(index);
    }
  }
  if (result.id > UINT16_MAX) {
    Fatal("gasnet_coll_team_split: there are %u teams; that is the most",
          result.id);
  }
  std::stable_sort(members.begin(), members.end(), [&](Rank a, Rank b) {
    return wishes[a].rank < wishes[b].rank;
  });
  for (const Rank index : members) {
    result.ranks.push_back(parent.rank_of(index));
    result.images.push_back(parent.images(index));
  }
  return result;
}

}  // namespace gasnet::coll
