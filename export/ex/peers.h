// The node that a team and a rank name, for the C functions of GASNet-EX.
#ifndef EXPORT_EX_PEERS_H_
#define EXPORT_EX_PEERS_H_

#include "core/rank.h"
#include "core/thread/mode.h"
#include "gasnetex.h"

namespace gasnet::exported {

namespace internal {
[[noreturn, gnu::cold]] void RefusePair(const char* call, gex_TM_t tm);
void CheckPeer(const char* call, gex_TM_t tm, gex_Rank_t rank);
}  // namespace internal

// A pair of other endpoints than the primordial ones names nothing, since there
// are none.
inline Rank NodeOf(const char* call, gex_TM_t tm, gex_Rank_t rank) {
  if constexpr (thread::kChecks) internal::CheckPeer(call, tm, rank);
  gasnet_node_t node;
  if (!gasneti_primordial(tm, rank, &node)) [[unlikely]]
    internal::RefusePair(call, tm);
  return node;
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_PEERS_H_
