// The tree in which hosts are reached: gasnetrun connects to the first ones,
// and has their agents connect to the next ones, level by level.
#ifndef TOOLS_GASNETRUN_HOST_TREE_H_
#define TOOLS_GASNETRUN_HOST_TREE_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace gasnet::gasnetrun {

// By host: the one that it is reached through, which has a smaller number;
// nothing where it is reached from here.
using HostTree = std::vector<std::optional<uint32_t>>;

// The most that GASNET_SSH_OUT_DEGREE may be.
inline constexpr uint32_t kMaxOutDegree = 1024;

// `is_in_tree`, by host: others may connect to it. `out_degree`: 0 for no tree.
HostTree PlantTree(const std::vector<bool>& is_in_tree, uint32_t out_degree);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_TREE_H_
