// Finds the peer that a team and a rank name, for the C functions of GASNet-EX.
#ifndef EXPORT_EX_PEERS_H_
#define EXPORT_EX_PEERS_H_

#include "core/rank.h"
#include "core/thread/mode.h"
#include "ex/endpoint.h"
#include "extended/target.h"
#include "gasnetex.h"

namespace gasnet::exported {

// An endpoint of this process, and the endpoint that it communicates with.
struct EndpointPair {
  gasneti_ep& own;
  extended::Target to;
};

// Returns the endpoints that `tm` and `rank` name. tm: a TM-pair, or a team
// with members other than primordial endpoints. Ends the job if an index is too
// large for any endpoint. uses: the capability that the call needs of `own`, or
// 0.
EndpointPair PairOf(const char* call, gex_TM_t tm, gex_Rank_t rank,
                    gex_EP_Capabilities_t uses);

// Ends the job if the endpoint was made without the capability.
void RequireCapability(const char* call, const gasneti_ep& own,
                       gex_EP_Capabilities_t uses);

namespace internal {
void CheckPeer(const char* call, gex_TM_t tm, gex_Rank_t rank);
}  // namespace internal

// Returns true and sets the node if `tm` and `rank` name two primordial
// endpoints.
inline bool IsPrimordial(const char* call, gex_TM_t tm, gex_Rank_t rank,
                         gasnet_node_t* node) {
  if constexpr (thread::kChecks) internal::CheckPeer(call, tm, rank);
  return gasneti_primordial(tm, rank, node) != 0;
}

// Returns the peer that `tm` and `rank` name. uses: see PairOf().
inline extended::Target TargetOf(const char* call, gex_TM_t tm, gex_Rank_t rank,
                                 gex_EP_Capabilities_t uses) {
  gasnet_node_t node;
  if (!IsPrimordial(call, tm, rank, &node)) [[unlikely]]
    return PairOf(call, tm, rank, uses).to;
  return node;
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_PEERS_H_
