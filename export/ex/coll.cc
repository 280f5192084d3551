// The C functions of gasnet/ex_barrier.h and ex_coll.h. These collectives
// synchronise only a node's own entry and exit (coll::Sync::kMine).
#include "base/log.h"
#include "coll/request.h"
#include "core/runtime/runtime.h"
#include "core/thread/mode.h"
#include "core/thread/rules.h"
#include "ex/client.h"
#include "ex/collective.h"
#include "ex/host_barriers.h"
#include "export/coll/areas.h"
#include "export/ex/peers.h"
#include "export/ex/reduction.h"
#include "export/ex/team_of.h"
#include "export/observed.h"
#include "extended/barriers.h"
#include "extended/front.h"
#include "gasnet_coll.h"
#include "gasnetex.h"

namespace {
using gasnet::Fatal;
using gasnet::coll::CollectiveKind;
using gasnet::coll::CollectiveRequest;
using gasnet::coll::SyncMode;
using gasnet::ex::Collective;
using gasnet::ex::ExTeam;
using gasnet::exported::Bytes;
using gasnet::exported::ExReduction;
using gasnet::exported::RequireRank;
using gasnet::exported::Run;
using gasnet::exported::TeamOf;
using gasnet::exported::ToNobody;
using gasnet::extended::BarrierKind;
using gasnet::extended::Barriers;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;

ExTeam& Opened(const char* call, gex_TM_t tm, gex_Flags_t flags) {
  ExTeam& team = TeamOf(call, tm);
  if constexpr (gasnet::thread::kChecks) {
    gasnet::thread::RequireMayCommunicate(call);
    gasnet::exported::RequireCapability(call, team.endpoint,
                                        GEX_EP_CAPABILITY_COLL);
    if (flags != 0) Fatal("%s: flags are 0x%x; they must be 0", call, flags);
    if (tm == &gasneti_tm_all && Barriers::Mine().IsOpen()) {
      Fatal(
          "%s called on the team of all processes between "
          "gasnet_barrier_notify and the gasnet_barrier_wait or "
          "gasnet_barrier_try that ends it",
          call);
    }
  }
  return team;
}

CollectiveRequest RequestOf(const char* call, CollectiveKind kind,
                            size_t nbytes) {
  CollectiveRequest request;
  request.call = call;
  request.kind = kind;
  request.in = SyncMode::kMine;
  request.out = SyncMode::kMine;
  request.nbytes = nbytes;
  return request;
}

void SetRoot(CollectiveRequest& request, const ExTeam& team, gex_Rank_t root,
             void* area) {
  RequireRank(request.call, "root", team, root);
  request.root = root;
  request.root_name = root;
  request.root_area = area;
}

gex_Event_t Begin(ExTeam& team, const CollectiveRequest& request) {
  if constexpr (gasnet::thread::kChecks) {
    const gasnet::exported::NodePosition place = {
        .node = team.rank(),
        .nodes = team.size(),
        .is_root = request.root == team.rank(),
        .mine = {team.rank()},
        .total = team.size()};
    const gasnet::Rank me = gasnet::runtime->job().rank();
    CheckAreas(request, place, gasnet::runtime->segments()[me]);
  }
  return Collective::Begin(team, request);
}

// Returns the team's barriers in shared memory, or null if it has none. Debug
// builds return null, so that barriers go through the engine of collectives.
// The engine checks that all members make the same calls.
gasnet::ex::HostBarriers* HostBarriersOf(gex_TM_t tm) {
  if (gasnet::thread::kChecks || tm != &gasneti_tm_all) return nullptr;
  // The user may have chosen another kind of barrier, or the reference
  // implementation.
  if (Barriers::Mine().kind() != BarrierKind::kNative) return nullptr;
  return gasnet::ex::Client::Mine().host_barriers();
}

gex_Event_t BeginBarrier(const char* call, gex_TM_t tm, gex_Flags_t flags) {
  ExTeam& team = Opened(call, tm, flags);
  if (auto* const barriers = HostBarriersOf(tm)) return barriers->Begin();
  CollectiveRequest request = RequestOf(call, CollectiveKind::kBarrier, 0);
  request.is_unnamed = true;
  return Collective::Begin(team, request);
}
}  // namespace

extern "C" {

gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexCollBarrierNB, &gex_Coll_BarrierNB>(tm, flags);
  return BeginBarrier("gex_Coll_BarrierNB", tm, flags);
}
void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexCollBarrierBlocking, &gex_Coll_BarrierBlocking>(tm,
                                                                         flags);
  constexpr char kCall[] = "gex_Coll_BarrierBlocking";
  // Waits even if this is the last member to arrive, since the wait serves the
  // network.
  gasnet::extended::Front::Wait(kCall, BeginBarrier(kCall, tm, flags));
}

gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void* dst,
                                 const void* src, size_t nbytes,
                                 gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexCollBroadcastNB, &gex_Coll_BroadcastNB, ToNobody,
               Bytes<4>>(tm, root, dst, src, nbytes, flags);
  constexpr char kCall[] = "gex_Coll_BroadcastNB";
  ExTeam& team = Opened(kCall, tm, flags);
  CollectiveRequest request =
      RequestOf(kCall, CollectiveKind::kBroadcast, nbytes);
  SetRoot(request, team, root, const_cast<void*>(src));
  request.dests = dst;
  return Begin(team, request);
}

gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void* dst,
                                   const void* src, gex_DT_t dt, size_t dt_sz,
                                   size_t dt_cnt, gex_OP_t op,
                                   gex_Coll_ReduceFn_t user_op,
                                   void* user_cdata, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexCollReduceToOneNB, &gex_Coll_ReduceToOneNB, ToNobody,
               Bytes<5, 6>>(tm, root, dst, src, dt, dt_sz, dt_cnt, op, user_op,
                            user_cdata, flags);
  constexpr char kCall[] = "gex_Coll_ReduceToOneNB";
  ExTeam& team = Opened(kCall, tm, flags);
  CollectiveRequest request =
      RequestOf(kCall, CollectiveKind::kReduce, dt_sz * dt_cnt);
  SetRoot(request, team, root, dst);
  request.sources = src;
  request.reduction =
      ExReduction(kCall, dt, dt_sz, dt_cnt, op, user_op, user_cdata);
  return Begin(team, request);
}
gex_Event_t gex_Coll_ReduceToAllNB(gex_TM_t tm, void* dst, const void* src,
                                   gex_DT_t dt, size_t dt_sz, size_t dt_cnt,
                                   gex_OP_t op, gex_Coll_ReduceFn_t user_op,
                                   void* user_cdata, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexCollReduceToAllNB, &gex_Coll_ReduceToAllNB, ToNobody,
               Bytes<4, 5>>(tm, dst, src, dt, dt_sz, dt_cnt, op, user_op,
                            user_cdata, flags);
  constexpr char kCall[] = "gex_Coll_ReduceToAllNB";
  ExTeam& team = Opened(kCall, tm, flags);
  CollectiveRequest request =
      RequestOf(kCall, CollectiveKind::kReduceAll, dt_sz * dt_cnt);
  request.dests = dst;
  request.sources = src;
  request.reduction =
      ExReduction(kCall, dt, dt_sz, dt_cnt, op, user_op, user_cdata);
  return Begin(team, request);
}

}  // extern "C"
