// Finds the team that an argument of a GASNet-EX call names.
#ifndef EXPORT_EX_TEAM_OF_H_
#define EXPORT_EX_TEAM_OF_H_

#include "core/phase.h"
#include "core/thread/mode.h"
#include "ex/teams.h"
#include "gasnetex.h"

namespace gasnet::exported {

namespace internal {
void CheckTeam(const char* call, gex_TM_t tm);
}  // namespace internal

// Returns the team of a handle. Debug builds reject TM-pairs and invalid
// handles.
inline ex::ExTeam& TeamOf(const char* call, gex_TM_t tm) {
  RequireAttached(call);
  if constexpr (thread::kChecks) internal::CheckTeam(call, tm);
  return ex::Teams::Mine().Of(tm);
}

// Ends the job, in every build, if the team has no such rank. `argument` is the
// name of the argument that gives the rank.
void RequireRank(const char* call, const char* argument, const ex::ExTeam& team,
                 gex_Rank_t rank);

}  // namespace gasnet::exported

#endif  // EXPORT_EX_TEAM_OF_H_
