#include "export/ex/team_of.h"

#include <cstdint>

#include "base/log.h"

namespace gasnet::exported {

void internal::CheckTeam(const char* call, gex_TM_t tm) {
  if (tm == &gasneti_tm_all) return;
  if (tm == GEX_TM_INVALID) Fatal("%s: the team is GEX_TM_INVALID", call);
  if ((reinterpret_cast<uintptr_t>(tm) & 1) != 0) {
    Fatal("%s: the team is a pair of gex_TM_Pair; it must be a team", call);
  }
  if (ex::Teams::Mine().IsSplit(tm)) return;
  Fatal(
      "%s: the team is %p, which is not a team of this process; it may have "
      "been destroyed",
      call, static_cast<const void*>(tm));
}

void RequireRank(const char* call, const char* argument, const ex::ExTeam& team,
                 gex_Rank_t rank) {
  if (rank < team.size()) [[likely]]
    return;
  Fatal("%s: %s is %u; the team has ranks 0 to %u", call, argument, rank,
        team.size() - 1);
}

}  // namespace gasnet::exported
