// The C functions of gasnet/ex_vis.h for strided regions, and for peer
// completion handlers.
#include <cstddef>
#include <span>

#include "core/phase.h"
#include "core/thread/rules.h"
#include "core/thread/thread_state.h"
#include "export/ex/immediate.h"
#include "export/ex/observed.h"
#include "export/ex/vis_calls.h"
#include "extended/target.h"
#include "gasnet_vis.h"
#include "gasnetex.h"
#include "vis/front.h"
#include "vis/peer_completion.h"

namespace {
using gasnet::exported::PutBlocking;
using gasnet::exported::PutNB;
using gasnet::exported::PutNBI;
using gasnet::exported::Run;
using gasnet::exported::Start;
using gasnet::exported::StridedBytes;
using gasnet::exported::ToRank;
using gasnet::exported::VisBlocking;
using gasnet::exported::VisExplicit;
using gasnet::exported::VisImplicit;
using gasnet::exported::VisTargetOf;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using gasnet::vis::StridedCall;

StridedCall Strided(void* dstaddr, const ptrdiff_t* dststrides,
                    const void* srcaddr, const ptrdiff_t* srcstrides,
                    size_t elemsz, const size_t* count, size_t stridelevels) {
  return {static_cast<std::byte*>(dstaddr),
          dststrides,
          static_cast<const std::byte*>(srcaddr),
          srcstrides,
          elemsz,
          count,
          stridelevels};
}

// Returns true if the transfer is empty, so that its peer and addresses have no
// meaning. Even an empty put uses up the peer completion handler.
bool IsNothing(const char* call, const StridedCall& strided) {
  gasnet::RequireAttached(call);
  return strided.IsEmpty();
}
bool PutsNothing(const char* call, const StridedCall& strided) {
  const bool nothing = IsNothing(call, strided);
  if (nothing) gasnet::thread::Self().peer_completion = {};
  return nothing;
}
}  // namespace

extern "C" {

// Functions for strided regions.

gex_Event_t gex_VIS_StridedPutNB(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                                 const ptrdiff_t dststrides[], void* srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz,
                                 const size_t count[], size_t stridelevels,
                                 gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISStridedPutNB, &gex_VIS_StridedPutNB, ToRank<0, 1>,
               StridedBytes<7, 8, 6>>(tm, dstrank, dstaddr, dststrides, srcaddr,
                                      srcstrides, elemsz, count, stridelevels,
                                      flags);
  constexpr char kCall[] = "gex_VIS_StridedPutNB";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return GEX_EVENT_INVALID;
  return PutNB(kCall, VisTargetOf(kCall, tm, dstrank), flags, strided);
}
int gex_VIS_StridedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                          const ptrdiff_t dststrides[], void* srcaddr,
                          const ptrdiff_t srcstrides[], size_t elemsz,
                          const size_t count[], size_t stridelevels,
                          gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISStridedPutNBI, &gex_VIS_StridedPutNBI, ToRank<0, 1>,
               StridedBytes<7, 8, 6>>(tm, dstrank, dstaddr, dststrides, srcaddr,
                                      srcstrides, elemsz, count, stridelevels,
                                      flags);
  constexpr char kCall[] = "gex_VIS_StridedPutNBI";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return 0;
  return PutNBI(kCall, VisTargetOf(kCall, tm, dstrank), flags, strided);
}
int gex_VIS_StridedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                               const ptrdiff_t dststrides[], void* srcaddr,
                               const ptrdiff_t srcstrides[], size_t elemsz,
                               const size_t count[], size_t stridelevels,
                               gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISStridedPutBlocking, &gex_VIS_StridedPutBlocking,
               ToRank<0, 1>, StridedBytes<7, 8, 6>>(
        tm, dstrank, dstaddr, dststrides, srcaddr, srcstrides, elemsz, count,
        stridelevels, flags);
  constexpr char kCall[] = "gex_VIS_StridedPutBlocking";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return 0;
  return PutBlocking(kCall, VisTargetOf(kCall, tm, dstrank), flags, strided);
}
gex_Event_t gex_VIS_StridedGetNB(gex_TM_t tm, void* dstaddr,
                                 const ptrdiff_t dststrides[],
                                 gex_Rank_t srcrank, void* srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz,
                                 const size_t count[], size_t stridelevels,
                                 gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISStridedGetNB, &gex_VIS_StridedGetNB, ToRank<0, 3>,
               StridedBytes<7, 8, 6>>(tm, dstaddr, dststrides, srcrank, srcaddr,
                                      srcstrides, elemsz, count, stridelevels,
                                      flags);
  constexpr char kCall[] = "gex_VIS_StridedGetNB";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return GEX_EVENT_INVALID;
  Start start(flags);
  return start.Event(VisExplicit::Get(kCall, VisTargetOf(kCall, tm, srcrank),
                                      strided, start.attempt()));
}
int gex_VIS_StridedGetNBI(gex_TM_t tm, void* dstaddr,
                          const ptrdiff_t dststrides[], gex_Rank_t srcrank,
                          void* srcaddr, const ptrdiff_t srcstrides[],
                          size_t elemsz, const size_t count[],
                          size_t stridelevels, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISStridedGetNBI, &gex_VIS_StridedGetNBI, ToRank<0, 3>,
               StridedBytes<7, 8, 6>>(tm, dstaddr, dststrides, srcrank, srcaddr,
                                      srcstrides, elemsz, count, stridelevels,
                                      flags);
  constexpr char kCall[] = "gex_VIS_StridedGetNBI";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return 0;
  Start start(flags);
  VisImplicit::Get(kCall, VisTargetOf(kCall, tm, srcrank), strided,
                   start.attempt());
  return start.Code();
}
int gex_VIS_StridedGetBlocking(gex_TM_t tm, void* dstaddr,
                               const ptrdiff_t dststrides[], gex_Rank_t srcrank,
                               void* srcaddr, const ptrdiff_t srcstrides[],
                               size_t elemsz, const size_t count[],
                               size_t stridelevels, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISStridedGetBlocking, &gex_VIS_StridedGetBlocking,
               ToRank<0, 3>, StridedBytes<7, 8, 6>>(
        tm, dstaddr, dststrides, srcrank, srcaddr, srcstrides, elemsz, count,
        stridelevels, flags);
  constexpr char kCall[] = "gex_VIS_StridedGetBlocking";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return 0;
  Start start(flags);
  VisBlocking::Get(kCall, VisTargetOf(kCall, tm, srcrank), strided,
                   start.attempt());
  return start.Code();
}

void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler,
                                      const void* source_addr, size_t nbytes,
                                      gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_SetPeerCompletionHandler";
  gasnet::RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  gasnet::exported::RefuseImmediate(kCall, flags);
  if (handler != 0 && handler < GEX_AM_INDEX_BASE) {
    gasnet::Fatal("%s: handler %u is out of range; a client's are %u to 255",
                  kCall, handler, GEX_AM_INDEX_BASE);
  }
  if (nbytes > GEX_VIS_MAX_PEERCOMPLETION) {
    gasnet::Fatal("%s: nbytes is %zu; the limit is %d", kCall, nbytes,
                  GEX_VIS_MAX_PEERCOMPLETION);
  }
  gasnet::thread::Self().peer_completion = {handler, source_addr, nbytes};
}

}  // extern "C"
