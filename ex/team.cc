#include "ex/team.h"

#include <utility>
#include <vector>

namespace gasnet::ex {
namespace {

// Describes the members' nodes by the first node and a stride, or else by a
// table. A negative stride wraps around, since Rank is unsigned.
gasneti_tm MembersOf(const std::vector<Rank>& ranks) {
  const Rank first = ranks[0];
  const Rank stride = ranks.size() > 1 ? ranks[1] - first : 1;
  for (Rank i = 2; i < ranks.size(); ++i) {
    if (ranks[i] != first + i * stride) return {ranks.data(), first, stride};
  }
  return {nullptr, first, stride};
}

}  // namespace

ExTeam::ExTeam(coll::Team& members, gasneti_ep& its_endpoint,
               std::vector<EndpointIndex> its_indices, gex_Flags_t its_flags,
               gex_Memvec_t its_scratch)
    : gasneti_tm(MembersOf(members.ranks())),
      collective(members),
      endpoint(its_endpoint),
      indices(std::move(its_indices)),
      flags(its_flags),
      scratch(its_scratch) {
  endpoint.teams.fetch_add(1, std::memory_order_relaxed);
}

ExTeam::~ExTeam() { endpoint.teams.fetch_sub(1, std::memory_order_relaxed); }

}  // namespace gasnet::ex
