// Assigns ranks to hosts.
#ifndef TOOLS_GASNETRUN_PLACEMENT_H_
#define TOOLS_GASNETRUN_PLACEMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/gasnetrun/host_list.h"

namespace gasnet::gasnetrun {

enum class MapBy {
  kDefault,  // means kSlots if slots are known and suffice, else kBlock
  kBlock,    // puts consecutive ranks together, the same number on every host
  kCyclic,   // puts one rank on each host in turn
  kSlots,    // fills one host's slots, then the next host's
};

inline constexpr char kMapByNames[] = "block, cyclic, slots";
std::optional<MapBy> ParseMapBy(std::string_view name);

struct Placement {
  // The hosts with at least one rank, in the order of their first ranks.
  std::vector<std::string> hosts;
  // Indexed by rank: the index of the rank's host in `hosts`.
  std::vector<uint32_t> host_of;
};

// Places the ranks. Returns InvalidArgument if kSlots is given and there are
// more ranks than slots.
absl::StatusOr<Placement> Place(const HostList& hosts, uint32_t ranks,
                                MapBy map_by);

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_PLACEMENT_H_
