#include "tools/gasnetrun/host_tree.h"

#include <cstddef>

namespace gasnet::gasnetrun {

HostTree PlantTree(const std::vector<bool>& is_in_tree, uint32_t out_degree) {
  HostTree tree(is_in_tree.size());
  if (out_degree == 0) return tree;
  std::vector<uint32_t> planted;
  for (uint32_t host = 0; host < is_in_tree.size(); ++host) {
    if (!is_in_tree[host]) continue;
    const size_t place = planted.size();
    if (place >= out_degree) tree[host] = planted[place / out_degree - 1];
    planted.push_back(host);
  }
  return tree;
}

}  // namespace gasnet::gasnetrun
