#include "coll/team.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gasnet::coll {

Team::Team(Members members)
    : window(static_cast<Rank>(members.ranks.size()), members.first),
      next(members.first),
      started(members.first),
      members_(std::move(members)) {
  const std::vector<uint16_t>& ids = members_.ids;
  const auto is_mine = [this](uint16_t id) { return id == members_.id; };
  if (std::all_of(ids.begin(), ids.end(), is_mine)) members_.ids.clear();
  FindHosts();
  SetImages(std::move(members_.images));
  const Rank last =
      *std::max_element(members_.ranks.begin(), members_.ranks.end());
  index_of_.assign(last + 1, kNoMember);
  for (Rank index = 0; index < nodes(); ++index) {
    index_of_[rank_of(index)] = index;
    all_near_ = all_near_ && (index == me() || IsNear(index));
  }
}

void Team::FindHosts() {
  std::map<uint32_t, Rank> first_of;
  nodes_on_host_.resize(nodes());
  for (Rank index = 0; index < nodes(); ++index) {
    const Rank first =
        first_of.try_emplace(host_of(index), index).first->second;
    first_on_host_.push_back(first);
    if (++nodes_on_host_[first] == 2) ++shared_hosts_;
  }
  hosts_ = static_cast<uint32_t>(first_of.size());
}

void Team::SetImages(std::vector<uint32_t> images) {
  members_.images = std::move(images);
  first_.assign(1, 0);
  for (const uint32_t some : members_.images) {
    first_.push_back(first_.back() + some);
  }
  std::vector<uint32_t> on_host(nodes());
  for (Rank index = 0; index < nodes(); ++index) {
    on_host[first_on_host_[index]] += this->images(index);
  }
  most_images_on_host_ = *std::max_element(on_host.begin(), on_host.end());
}

Rank Team::FindOwner(uint32_t image) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), image);
  return static_cast<Rank>(after - first_.begin()) - 1;
}

void Team::MakeTreeOf(Rank root, TreeShape shape) {
  tree_ = MakeTree(members_.hosts, root, me(), shape);
  tree_root_ = root;
  tree_shape_ = shape;
}

}  // namespace gasnet::coll
