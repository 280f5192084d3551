#include "ex/neighbours.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/runtime/runtime.h"
#include "core/supernodes.h"

namespace gasnet::ex {
namespace {

// Returns this rank's group. group_of: the group of each rank, numbered from 0
// without gaps.
Neighbours::Group GroupOf(Rank me, std::span<const uint32_t> group_of) {
  Neighbours::Group group;
  group.my_group = group_of[me];
  group.groups = 1 + *std::max_element(group_of.begin(), group_of.end());
  for (Rank rank = 0; rank < group_of.size(); ++rank) {
    if (group_of[rank] != group.my_group) continue;
    if (rank == me)
      group.my_index = static_cast<gex_Rank_t>(group.ranks.size());
    group.ranks.push_back({rank});
  }
  return group;
}

}  // namespace

Neighbours::Neighbours() {
  const job::Job& job = runtime->job();
  neighbourhood_ =
      GroupOf(job.rank(), Supernodes(job.host_of(), runtime->SupernodeSize()));
  host_ = GroupOf(job.rank(), job.host_of());
}

}  // namespace gasnet::ex
