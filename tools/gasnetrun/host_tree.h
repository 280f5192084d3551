// The tree of connections to hosts. gasnetrun connects to the first hosts. The
// agents on these hosts connect to the next ones, level by level.
#ifndef TOOLS_GASNETRUN_HOST_TREE_H_
#define TOOLS_GASNETRUN_HOST_TREE_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace gasnet::gasnetrun {

// The tree, indexed by host. An element is the number of the host through which
// this host is reached, and is smaller than the index. Nothing if gasnetrun
// itself connects to this host.
using HostTree = std::vector<std::optional<uint32_t>>;

// The maximum value of GASNET_SSH_OUT_DEGREE.
inline constexpr uint32_t kMaxOutDegree = 1024;

// Makes the tree. `is_in_tree` is indexed by host, and true if other hosts may
// connect to that host. `out_degree` 0 means no tree.
HostTree PlantTree(const std::vector<bool>& is_in_tree, uint32_t out_degree);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_HOST_TREE_H_
