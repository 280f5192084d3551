#include "export/ex/atomic_checks.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/log.h"
#include "core/runtime/runtime.h"
#include "ex/atomic_apply.h"
#include "ex/atomic_domain.h"
#include "ex/client.h"
#include "ex/live_domains.h"
#include "ex/teams.h"
#include "export/ex/peers.h"
#include "export/ex/team_of.h"
#include "extended/argument_checks.h"
#include "extended/target.h"

namespace gasnet::exported::internal {
namespace {

bool HasMember(gex_TM_t tm, Rank node) {
  for (gex_Rank_t rank = 0; rank < gex_TM_QuerySize(tm); ++rank) {
    if (gasneti_node_of(gasneti_team_of(tm), rank) == node) return true;
  }
  return false;
}

bool IsNeighbour(Rank node) {
  const auto& ranks = ex::Client::Mine().neighbours().neighbourhood().ranks;
  return std::any_of(ranks.begin(), ranks.end(), [node](const auto& rank) {
    return rank.gex_jobrank == node;
  });
}

extended::Target CheckedTarget(const AtomicCall& call) {
  if ((call.flags & GEX_FLAG_RANK_IS_JOBRANK) == 0)
    return TargetOf(call.name, call.ad->tm, call.rank, GEX_EP_CAPABILITY_AD);
  if (!HasMember(call.ad->tm, call.rank)) {
    Fatal("%s: jobrank %u is not in the team of the domain", call.name,
          call.rank);
  }
  const ex::ExTeam& team = ex::Teams::Mine().Of(call.ad->tm);
  return {call.rank, team.IndexOf(team.RankOf(call.rank))};
}

void CheckOperation(const AtomicCall& call) {
  if (call.type != call.ad->dt) {
    Fatal("%s: the type is GEX_DT 0x%x, that of the domain is 0x%x", call.name,
          call.type, call.ad->dt);
  }
  if (!std::has_single_bit(call.operation) ||
      (call.operation & call.ad->ops) == 0) {
    Fatal("%s: opcode is 0x%x; it must be one of the domain's, which are 0x%x",
          call.name, call.operation, call.ad->ops);
  }
  if ((call.operation & ex::kFetchingOps) != 0 && call.result == nullptr) {
    Fatal("%s: result_p is NULL, with an operation that fetches", call.name);
  }
}

void CheckPromises(const AtomicCall& call, Rank node) {
  const bool my_rank = (call.flags & GEX_FLAG_AD_MY_RANK) != 0;
  const bool my_neighbourhood = (call.flags & GEX_FLAG_AD_MY_NBRHD) != 0;
  if (my_rank && my_neighbourhood) {
    Fatal("%s: flags have both GEX_FLAG_AD_MY_RANK and GEX_FLAG_AD_MY_NBRHD",
          call.name);
  }
  if (my_rank && node != gasneti_world.mynode) {
    Fatal("%s: GEX_FLAG_AD_MY_RANK, but jobrank %u is another process",
          call.name, node);
  }
  if (my_neighbourhood && !IsNeighbour(node)) {
    Fatal(
        "%s: GEX_FLAG_AD_MY_NBRHD, but jobrank %u is in another neighbourhood",
        call.name, node);
  }
}

ex::LiveDomains& AllDomains() { return ex::Teams::Mine().domains(); }

[[noreturn]] void RefuseDomain(const char* call, gex_AD_t ad) {
  if (ad == GEX_AD_INVALID) Fatal("%s: the domain is GEX_AD_INVALID", call);
  Fatal(
      "%s: the domain is %p, which is not a domain of this process; it may "
      "have been destroyed",
      call, static_cast<void*>(ad));
}

}  // namespace

void CheckDomainLives(const char* call, gex_AD_t ad) {
  if (!AllDomains().Has(ad)) RefuseDomain(call, ad);
}
void NoteDomain(gex_AD_t ad) { AllDomains().Add(ad); }
void ForgetDomain(gex_AD_t ad) {
  if (!AllDomains().Remove(ad)) RefuseDomain("gex_AD_Destroy", ad);
}
void CheckHasNoDomains(gex_TM_t tm) {
  if (!AllDomains().HasOf(tm)) return;
  Fatal("gex_TM_Destroy: the team has atomic domains; destroy them first");
}

void CheckAtomic(const AtomicCall& call) {
  CheckDomainLives(call.name, call.ad);
  const extended::Target target = CheckedTarget(call);
  CheckOperation(call);
  CheckPromises(call, target.node);
  extended::CheckRemote(call.name, target, call.target, call.nbytes);
  if (reinterpret_cast<uintptr_t>(call.target) % call.nbytes != 0) {
    Fatal("%s: tgt_addr is %p; it must be a multiple of %zu", call.name,
          call.target, call.nbytes);
  }
}

void CheckDomain(gex_TM_t tm, gex_DT_t dt, gex_OP_t ops, gex_Flags_t flags) {
  constexpr char kCall[] = "gex_AD_Create";
  constexpr gex_Flags_t kFavors = GEX_FLAG_AD_FAVOR_MY_RANK |
                                  GEX_FLAG_AD_FAVOR_MY_NBRHD |
                                  GEX_FLAG_AD_FAVOR_REMOTE;
  TeamOf(kCall, tm);
  if (ex::OpsOf(dt) == 0) {
    Fatal("%s: dt is 0x%x; it must be a type, and not GEX_DT_USER", kCall, dt);
  }
  if (ops == 0 || (ops & ~ex::OpsOf(dt)) != 0) {
    Fatal("%s: ops is 0x%x; the type has only 0x%x", kCall, ops, ex::OpsOf(dt));
  }
  if ((flags & ~kFavors) != 0 || std::popcount(flags) > 1) {
    Fatal("%s: flags is 0x%x; it must be 0 or one GEX_FLAG_AD_FAVOR_*", kCall,
          flags);
  }
}

}  // namespace gasnet::exported::internal
