#include "export/ex/peers.h"

#include <cstdint>

#include "base/log.h"
#include "core/phase.h"
#include "core/runtime/runtime.h"
#include "export/ex/team_of.h"

namespace gasnet::exported::internal {
namespace {

bool IsPair(gex_TM_t tm) { return (reinterpret_cast<uintptr_t>(tm) & 1) != 0; }

gex_Rank_t SizeOf(const char* call, gex_TM_t tm) {
  return IsPair(tm) ? runtime->job().size() : TeamOf(call, tm).size();
}

}  // namespace

void RefusePair(const char* call, gex_TM_t tm) {
  const auto bits = reinterpret_cast<uintptr_t>(tm);
  Fatal(
      "%s: the pair names endpoint %u of this process and endpoint %u of "
      "another; there are only endpoints 0",
      call, static_cast<unsigned>(bits >> 32),
      static_cast<unsigned>(bits >> 1 & 0x7fffffff));
}

void CheckPeer(const char* call, gex_TM_t tm, gex_Rank_t rank) {
  RequireAttached(call);
  if (tm == GEX_TM_INVALID) Fatal("%s: the team is GEX_TM_INVALID", call);
  if (rank < SizeOf(call, tm)) return;
  Fatal("%s: rank %u is out of range; %s has ranks 0 to %u", call, rank,
        IsPair(tm) ? "a pair" : "the team", SizeOf(call, tm) - 1);
}

}  // namespace gasnet::exported::internal
