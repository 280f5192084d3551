#include "coll/team.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gasnet::coll {

Team::Team(Members members)
    : window(static_cast<Rank>(members.ranks.size())),
      members_(std::move(members)) {
  SetImages(std::move(members_.images));
  const Rank last =
      *std::max_element(members_.ranks.begin(), members_.ranks.end());
  index_of_.assign(last + 1, kNoMember);
  for (Rank index = 0; index < nodes(); ++index) {
    index_of_[rank_of(index)] = index;
    all_near_ = all_near_ && (index == me() || IsNear(index));
  }
  const std::set<uint32_t> hosts(members_.hosts.begin(), members_.hosts.end());
  hosts_ = static_cast<uint32_t>(hosts.size());
}

void Team::SetImages(std::vector<uint32_t> images) {
  members_.images = std::move(images);
  first_.assign(1, 0);
  for (const uint32_t some : members_.images) {
    first_.push_back(first_.back() + some);
  }
}

Rank Team::owner_of(uint32_t image) const {
  if (one_image_each()) return image;
  const auto after = std::upper_bound(first_.begin(), first_.end(), image);
  return static_cast<Rank>(after - first_.begin()) - 1;
}

void Team::MakeTreeOf(Rank root, Shape shape) {
  tree_ = MakeTree(members_.hosts, root, me(), shape);
  tree_root_ = root;
  tree_shape_ = shape;
}

}  // namespace gasnet::coll
