// The C functions of gasnet/ex_team.h.
//
// Teams need no scratch space. If the client lends some, it is recorded, and
// returned when the team is destroyed. The library recommends the smallest size
// that is not zero.
#include <cstdint>

#include "base/log.h"
#include "core/runtime/runtime.h"
#include "core/thread/rules.h"
#include "ex/teams.h"
#include "export/ex/atomic_checks.h"
#include "export/ex/checked_object.h"
#include "export/ex/immediate.h"
#include "export/ex/new_team.h"
#include "export/ex/observed.h"
#include "export/ex/team_of.h"
#include "gasnetex.h"

namespace {
using gasnet::Fatal;
using gasnet::ex::ExTeam;
using gasnet::ex::Teams;
using gasnet::exported::CheckedObject;
using gasnet::exported::CheckHasNoDomains;
using gasnet::exported::IsSizeQuery;
using gasnet::exported::NewTeam;
using gasnet::exported::RequireRank;
using gasnet::exported::Run;
using gasnet::exported::TeamOf;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using gasnet::thread::RequireMayCommunicate;

constexpr size_t kRecommended = GASNET_PAGESIZE;

ExTeam& ParentOf(const char* call, gex_TM_t tm, gex_Flags_t flags = 0) {
  gasnet::exported::RefuseImmediate(call, flags);
  ExTeam& team = TeamOf(call, tm);
  RequireMayCommunicate(call);
  return team;
}
}  // namespace

extern "C" {

void gex_TM_SetCData(gex_TM_t tm, const void* val) {
  TeamOf("gex_TM_SetCData", tm).data.Set(val);
}
void* gex_TM_QueryCData(gex_TM_t tm) {
  return TeamOf("gex_TM_QueryCData", tm).data.Get();
}
gex_Client_t gex_TM_QueryClient(gex_TM_t tm) {
  return &TeamOf("gex_TM_QueryClient", tm).endpoint.client;
}
gex_EP_t gex_TM_QueryEP(gex_TM_t tm) {
  return &TeamOf("gex_TM_QueryEP", tm).endpoint;
}
gex_Flags_t gex_TM_QueryFlags(gex_TM_t tm) {
  return TeamOf("gex_TM_QueryFlags", tm).flags;
}
gex_Rank_t gex_TM_QueryRank(gex_TM_t tm) {
  return TeamOf("gex_TM_QueryRank", tm).rank();
}
gex_Rank_t gex_TM_QuerySize(gex_TM_t tm) {
  return TeamOf("gex_TM_QuerySize", tm).size();
}

size_t gex_TM_Split(gex_TM_t* new_tm_p, gex_TM_t parent_tm, int color, int key,
                    void* scratch_addr, size_t scratch_size,
                    gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexTMSplit, &gex_TM_Split>(
        new_tm_p, parent_tm, color, key, scratch_addr, scratch_size, flags);
  constexpr char kCall[] = "gex_TM_Split";
  ExTeam& parent = ParentOf(kCall, parent_tm, flags);
  const bool joins = new_tm_p != nullptr;
  if (IsSizeQuery(kCall, flags)) return joins ? kRecommended : 0;
  NewTeam made(kCall, flags);
  if (joins) made.Split(color, key, scratch_addr, scratch_size);
  ExTeam* const team = made.MakeOver(parent);
  if (!joins) return 0;
  *new_tm_p = Teams::HandleOf(*team);
  return 1;
}

size_t gex_TM_Create(gex_TM_t* new_tms, size_t num_new_tms, gex_TM_t parent_tm,
                     gex_EP_Location_t* args, size_t numargs,
                     gex_Addr_t* scratch_addrs, size_t scratch_size,
                     gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexTMCreate, &gex_TM_Create>(
        new_tms, num_new_tms, parent_tm, args, numargs, scratch_addrs,
        scratch_size, flags);
  constexpr char kCall[] = "gex_TM_Create";
  ExTeam& parent = ParentOf(kCall, parent_tm, flags);
  if (IsSizeQuery(kCall, flags)) return numargs == 0 ? 0 : kRecommended;
  NewTeam made(kCall, flags);
  made.List(parent, {args, numargs}, scratch_addrs, scratch_size);
  if (num_new_tms != (made.joins() ? 1 : 0)) {
    Fatal("%s: num_new_tms is %zu; args lists %s endpoint of this process",
          kCall, num_new_tms, made.joins() ? "one" : "no");
  }
  ExTeam* const team = made.MakeOver(parent);
  if (team == nullptr) return 0;
  new_tms[0] = Teams::HandleOf(*team);
  return 1;
}

int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t* scratch_p, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexTMDestroy, &gex_TM_Destroy>(tm, scratch_p, flags);
  constexpr char kCall[] = "gex_TM_Destroy";
  ExTeam& team = ParentOf(kCall, tm, flags);
  if (tm == &gasneti_tm_all) {
    Fatal("%s: the team of all processes cannot be destroyed", kCall);
  }
  CheckHasNoDomains(tm);
  const gex_Memvec_t scratch = team.scratch;
  Teams::Mine().End(team);
  if (scratch_p == nullptr || scratch.gex_len == 0) return 0;
  *scratch_p = scratch;
  return 1;
}

gex_TM_t gex_TM_Pair(gex_EP_t local_ep, gex_EP_Index_t remote_ep_index) {
  CheckedObject("gex_TM_Pair", "endpoint", local_ep);
  const uintptr_t local = gex_EP_QueryIndex(local_ep);
  return reinterpret_cast<gex_TM_t>(
      local << 32 | uintptr_t{remote_ep_index} << 1 | GASNETI_PRIMORDIAL_PAIR);
}

gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank) {
  constexpr char kCall[] = "gex_TM_TranslateRankToJobrank";
  const ExTeam& team = ParentOf(kCall, tm);
  RequireRank(kCall, "rank", team, rank);
  return team.NodeOf(rank);
}
gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank) {
  constexpr char kCall[] = "gex_TM_TranslateJobrankToRank";
  const ExTeam& team = ParentOf(kCall, tm);
  RequireRank(kCall, "jobrank", Teams::Mine().Of(&gasneti_tm_all), jobrank);
  return team.RankOf(jobrank);
}
gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank,
                                           gex_Flags_t) {
  constexpr char kCall[] = "gex_TM_TranslateRankToEP";
  const ExTeam& team = ParentOf(kCall, tm);
  RequireRank(kCall, "rank", team, rank);
  return {team.NodeOf(rank), team.IndexOf(rank)};
}

}  // extern "C"
