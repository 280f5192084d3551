#include "export/ex/peers.h"

#include <cstddef>
#include <cstdint>

#include "base/log.h"
#include "core/endpoint_index.h"
#include "core/phase.h"
#include "core/runtime/runtime.h"
#include "ex/client.h"
#include "ex/teams.h"
#include "export/ex/team_of.h"

namespace gasnet::exported {
namespace {

bool IsPair(gex_TM_t tm) { return (reinterpret_cast<uintptr_t>(tm) & 1) != 0; }

// OwnIndex() returns the index of this process's endpoint in a TM-pair,
// ItsIndex() that of the peer's endpoint. They do not check the indices.
size_t OwnIndex(gex_TM_t pair) {
  return reinterpret_cast<uintptr_t>(pair) >> 32;
}
size_t ItsIndex(gex_TM_t pair) {
  return reinterpret_cast<uintptr_t>(pair) >> 1 & 0x7fffffff;
}

gex_Rank_t SizeOf(const char* call, gex_TM_t tm) {
  return IsPair(tm) ? runtime->job().size() : TeamOf(call, tm).size();
}

EndpointPair Named(const char* call, gex_TM_t tm, gex_Rank_t rank) {
  ex::Client& client = ex::Client::Mine();
  if (!IsPair(tm)) {
    const ex::ExTeam& team = ex::Teams::Mine().Of(tm);
    return {team.endpoint, {team.NodeOf(rank), team.IndexOf(rank)}};
  }
  gasneti_ep* const own = client.Find(OwnIndex(tm));
  if (own == nullptr) {
    Fatal("%s: the pair names endpoint %zu of this process, which has none",
          call, OwnIndex(tm));
  }
  if (ItsIndex(tm) >= kMaxEndpoints) {
    Fatal(
        "%s: the pair names endpoint %zu of another process; they have "
        "endpoints 0 to %u",
        call, ItsIndex(tm), kMaxEndpoints - 1);
  }
  return {*own, {rank, static_cast<EndpointIndex>(ItsIndex(tm))}};
}

const char* NameOf(gex_EP_Capabilities_t capability) {
  switch (capability) {
    case GEX_EP_CAPABILITY_RMA:
      return "GEX_EP_CAPABILITY_RMA";
    case GEX_EP_CAPABILITY_AM:
      return "GEX_EP_CAPABILITY_AM";
    case GEX_EP_CAPABILITY_VIS:
      return "GEX_EP_CAPABILITY_VIS";
    case GEX_EP_CAPABILITY_COLL:
      return "GEX_EP_CAPABILITY_COLL";
    default:
      return "GEX_EP_CAPABILITY_AD";
  }
}

}  // namespace

void RequireCapability(const char* call, const gasneti_ep& own,
                       gex_EP_Capabilities_t uses) {
  if (own.Can(uses)) return;
  Fatal("%s: endpoint %u of this process was made without %s", call, own.index,
        NameOf(uses));
}

EndpointPair PairOf(const char* call, gex_TM_t tm, gex_Rank_t rank,
                    gex_EP_Capabilities_t uses) {
  const EndpointPair pair = Named(call, tm, rank);
  RequireCapability(call, pair.own, uses);
  return pair;
}

void internal::CheckPeer(const char* call, gex_TM_t tm, gex_Rank_t rank) {
  RequireAttached(call);
  if (tm == GEX_TM_INVALID) Fatal("%s: the team is GEX_TM_INVALID", call);
  if (rank < SizeOf(call, tm)) return;
  Fatal("%s: rank %u is out of range; %s has ranks 0 to %u", call, rank,
        IsPair(tm) ? "a pair" : "the team", SizeOf(call, tm) - 1);
}

}  // namespace gasnet::exported
