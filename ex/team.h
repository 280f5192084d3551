// A team: an ordered set of endpoints, at most one of each process. A gex_TM_t
// points to a team, with two exceptions:
// - &gasneti_tm_all stands for the team of all processes. Inlined calls
//   compare handles with it.
// - Bit 1 of the handle is set if some of the members are not primordial
//   endpoints (Teams::Of).
//
// Ranks in the team are the indices of the collective team (coll::Team). The
// tables of coll::Team translate between ranks and nodes. If the members' nodes
// are evenly spaced, a rank is converted to its node without a table. A team
// does not change once created, except for the client's data. Any thread may
// use it.
#ifndef EX_TEAM_H_
#define EX_TEAM_H_

#include <type_traits>
#include <vector>

#include "coll/team.h"
#include "core/endpoint_index.h"
#include "core/rank.h"
#include "ex/client.h"
#include "ex/client_data.h"
#include "gasnet/ex_team.h"

namespace gasnet::ex {

class ExTeam : public gasneti_tm {
 public:
  // its_indices: the indices of the members' endpoints, by rank; empty if all
  // are primordial. its_scratch: memory that the client lends, with a null
  // address if the client lends none.
  ExTeam(coll::Team& members, gasneti_ep& its_endpoint,
         std::vector<EndpointIndex> its_indices, gex_Flags_t its_flags,
         gex_Memvec_t its_scratch);
  ~ExTeam();
  ExTeam(const ExTeam&) = delete;
  ExTeam& operator=(const ExTeam&) = delete;

  gex_Rank_t size() const { return collective.nodes(); }
  gex_Rank_t rank() const { return collective.me(); }
  // Returns the node of a rank. The rank must be valid in the team.
  Rank NodeOf(gex_Rank_t rank) const { return gasneti_node_of(this, rank); }
  EndpointIndex IndexOf(gex_Rank_t rank) const {
    return indices.empty() ? EndpointIndex{0} : indices[rank];
  }
  // Returns the rank of a node, or GEX_RANK_INVALID if the node is not in the
  // team.
  gex_Rank_t RankOf(Rank node) const { return collective.index_of(node); }

  coll::Team& collective;
  gasneti_ep& endpoint;
  const std::vector<EndpointIndex> indices;
  const gex_Flags_t flags;
  const gex_Memvec_t scratch;
  ClientData data;
};
static_assert(coll::Team::kNoMember == GEX_RANK_INVALID);
static_assert(std::is_same_v<Rank, decltype(gasneti_tm::first)>);

}  // namespace gasnet::ex

#endif  // EX_TEAM_H_
