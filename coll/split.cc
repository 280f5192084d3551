#include "coll/split.h"

#include <algorithm>

namespace gasnet::coll {

SplitResult SplitTeam(const Team& parent,
                      const std::vector<SplitWish>& wishes) {
  const SplitWish& mine = wishes[parent.me()];
  SplitResult result;
  result.first = mine.first;
  std::vector<Rank> members;
  for (Rank index = 0; index < parent.nodes(); ++index) {
    if (wishes[index].color == mine.color) members.push_back(index);
  }
  std::stable_sort(members.begin(), members.end(), [&](Rank a, Rank b) {
    return wishes[a].key < wishes[b].key;
  });
  for (const Rank index : members) {
    const SplitWish& wish = wishes[index];
    if (static_cast<int32_t>(wish.first - result.first) > 0)
      result.first = wish.first;
    result.ranks.push_back(parent.rank_of(index));
    result.ids.push_back(static_cast<uint16_t>(wish.id));
    result.images.push_back(parent.images(index));
  }
  return result;
}

}  // namespace gasnet::coll
