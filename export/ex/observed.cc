#include "export/ex/observed.h"

#include <cstdint>

#include "core/am/dispatcher.h"
#include "core/observe/seam.h"
#include "core/phase.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"
#include "ex/atomic_domain.h"
#include "ex/live_domains.h"
#include "ex/prepared.h"
#include "ex/teams.h"

namespace gasnet::exported {

Rank internal::ObservedNode(gex_TM_t tm, gex_Rank_t rank) {
  if (CurrentPhase() != Phase::kAttached || tm == GEX_TM_INVALID)
    return observe::kNobody;
  // In a TM-pair, ranks are ranks of the job.
  const bool is_pair = (reinterpret_cast<uintptr_t>(tm) & 1) != 0;
  if (tm == &gasneti_tm_all || is_pair) return rank;
  ex::Teams& teams = ex::Teams::Mine();
  if (thread::kChecks && !teams.IsSplit(tm)) return observe::kNobody;
  const ex::ExTeam& team = teams.Of(tm);
  return rank < team.size() ? team.NodeOf(rank) : observe::kNobody;
}

Rank internal::ObservedNode(gex_AD_t domain, gex_Rank_t rank,
                            gex_Flags_t flags) {
  if (domain == GEX_AD_INVALID) return observe::kNobody;
  if (thread::kChecks && !ex::Teams::Mine().domains().Has(domain))
    return observe::kNobody;
  if ((flags & GEX_FLAG_RANK_IS_JOBRANK) != 0) return rank;
  return ObservedNode(domain->tm, rank);
}

Rank internal::ObservedSource(gex_Token_t token) {
  if (token == nullptr) return observe::kNobody;
  return static_cast<const am::Token*>(token)->source;
}

Rank internal::ObservedNode(gex_AM_SrcDesc_t prepared) {
  const bool is_mine =
      prepared != nullptr && prepared == thread::Self().prepared;
  return is_mine ? prepared->node : observe::kNobody;
}

}  // namespace gasnet::exported
