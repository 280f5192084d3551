// The C functions of gasnet/ex_vis.h. GEX_FLAG_IMMEDIATE is a permission that
// they do not use, and a put that a message follows is complete when its call
// returns.
#include <cstddef>
#include <span>

#include "base/log.h"
#include "core/phase.h"
#include "core/thread/rules.h"
#include "core/thread/thread_state.h"
#include "export/ex/peers.h"
#include "extended/target.h"
#include "gasnet_vis.h"
#include "gasnetex.h"
#include "vis/front.h"
#include "vis/peer_completion.h"

namespace {
using VisBlocking = gasnet::vis::Front<gasnet::vis::Blocking>;
using VisExplicit = gasnet::vis::Front<gasnet::vis::Explicit>;
using VisImplicit = gasnet::vis::Front<gasnet::vis::Implicit>;
using gasnet::extended::Target;
using gasnet::vis::IndexedList;
using gasnet::vis::StridedCall;
using gasnet::vis::VectorList;

Target TargetOf(const char* call, gex_TM_t tm, gex_Rank_t rank) {
  return gasnet::exported::TargetOf(call, tm, rank, GEX_EP_CAPABILITY_VIS);
}

VectorList Vector(const gex_Memvec_t* list, size_t count) {
  static_assert(sizeof(gex_Memvec_t) == sizeof(gasnet_memvec_t));
  return {reinterpret_cast<const gasnet_memvec_t*>(list), count};
}

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

// Returns true if nothing is transferred; then the peer and the addresses mean
// nothing. A put of nothing disarms.
bool IsNothing(const char* call, const StridedCall& strided) {
  gasnet::RequireAttached(call);
  return strided.IsEmpty();
}
bool PutsNothing(const char* call, const StridedCall& strided) {
  const bool nothing = IsNothing(call, strided);
  if (nothing) gasnet::thread::Self().peer_completion = {};
  return nothing;
}

// Each kind of call: blocking, with an event, or implicit.

template <class... Sides>
int PutBlocking(const char* call, Target target, const Sides&... sides) {
  if (gasnet::vis::IsArmed() && target.endpoint != 0) {
    gasnet::Fatal(
        "%s: gex_VIS_SetPeerCompletionHandler was called before, and the put "
        "goes to endpoint %u; its message goes to primordial endpoints",
        call, target.endpoint);
  }
  VisBlocking::Put(call, target, sides...);
  if (gasnet::vis::IsArmed()) gasnet::vis::SendPeerCompletion(target.node);
  return 0;
}
template <class... Sides>
gex_Event_t PutNB(const char* call, Target target, const Sides&... sides) {
  if (!gasnet::vis::IsArmed()) return VisExplicit::Put(call, target, sides...);
  PutBlocking(call, target, sides...);
  return GEX_EVENT_INVALID;
}
template <class... Sides>
int PutNBI(const char* call, Target target, const Sides&... sides) {
  if (gasnet::vis::IsArmed()) return PutBlocking(call, target, sides...);
  VisImplicit::Put(call, target, sides...);
  return 0;
}
}  // namespace

extern "C" {

// Vector.

gex_Event_t gex_VIS_VectorPutNB(gex_TM_t tm, gex_Rank_t dstrank,
                                size_t dstcount, gex_Memvec_t const dstlist[],
                                size_t srccount, gex_Memvec_t const srclist[],
                                gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_VectorPutNB";
  return PutNB(kCall, TargetOf(kCall, tm, dstrank), Vector(dstlist, dstcount),
               Vector(srclist, srccount));
}
int gex_VIS_VectorPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                         gex_Memvec_t const dstlist[], size_t srccount,
                         gex_Memvec_t const srclist[], gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_VectorPutNBI";
  return PutNBI(kCall, TargetOf(kCall, tm, dstrank), Vector(dstlist, dstcount),
                Vector(srclist, srccount));
}
int gex_VIS_VectorPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                              gex_Memvec_t const dstlist[], size_t srccount,
                              gex_Memvec_t const srclist[], gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_VectorPutBlocking";
  return PutBlocking(kCall, TargetOf(kCall, tm, dstrank),
                     Vector(dstlist, dstcount), Vector(srclist, srccount));
}
gex_Event_t gex_VIS_VectorGetNB(gex_TM_t tm, size_t dstcount,
                                gex_Memvec_t const dstlist[],
                                gex_Rank_t srcrank, size_t srccount,
                                gex_Memvec_t const srclist[], gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_VectorGetNB";
  return VisExplicit::Get(kCall, Vector(dstlist, dstcount),
                          TargetOf(kCall, tm, srcrank),
                          Vector(srclist, srccount));
}
int gex_VIS_VectorGetNBI(gex_TM_t tm, size_t dstcount,
                         gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
                         size_t srccount, gex_Memvec_t const srclist[],
                         gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_VectorGetNBI";
  VisImplicit::Get(kCall, Vector(dstlist, dstcount),
                   TargetOf(kCall, tm, srcrank), Vector(srclist, srccount));
  return 0;
}
int gex_VIS_VectorGetBlocking(gex_TM_t tm, size_t dstcount,
                              gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
                              size_t srccount, gex_Memvec_t const srclist[],
                              gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_VectorGetBlocking";
  VisBlocking::Get(kCall, Vector(dstlist, dstcount),
                   TargetOf(kCall, tm, srcrank), Vector(srclist, srccount));
  return 0;
}

// Indexed.

gex_Event_t gex_VIS_IndexedPutNB(gex_TM_t tm, gex_Rank_t dstrank,
                                 size_t dstcount, void* const dstlist[],
                                 size_t dstlen, size_t srccount,
                                 void* const srclist[], size_t srclen,
                                 gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_IndexedPutNB";
  return PutNB(kCall, TargetOf(kCall, tm, dstrank),
               IndexedList{dstlist, dstcount, dstlen},
               IndexedList{srclist, srccount, srclen});
}
int gex_VIS_IndexedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                          void* const dstlist[], size_t dstlen, size_t srccount,
                          void* const srclist[], size_t srclen, gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_IndexedPutNBI";
  return PutNBI(kCall, TargetOf(kCall, tm, dstrank),
                IndexedList{dstlist, dstcount, dstlen},
                IndexedList{srclist, srccount, srclen});
}
int gex_VIS_IndexedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                               void* const dstlist[], size_t dstlen,
                               size_t srccount, void* const srclist[],
                               size_t srclen, gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_IndexedPutBlocking";
  return PutBlocking(kCall, TargetOf(kCall, tm, dstrank),
                     IndexedList{dstlist, dstcount, dstlen},
                     IndexedList{srclist, srccount, srclen});
}
gex_Event_t gex_VIS_IndexedGetNB(gex_TM_t tm, size_t dstcount,
                                 void* const dstlist[], size_t dstlen,
                                 gex_Rank_t srcrank, size_t srccount,
                                 void* const srclist[], size_t srclen,
                                 gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_IndexedGetNB";
  return VisExplicit::Get(kCall, IndexedList{dstlist, dstcount, dstlen},
                          TargetOf(kCall, tm, srcrank),
                          IndexedList{srclist, srccount, srclen});
}
int gex_VIS_IndexedGetNBI(gex_TM_t tm, size_t dstcount, void* const dstlist[],
                          size_t dstlen, gex_Rank_t srcrank, size_t srccount,
                          void* const srclist[], size_t srclen, gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_IndexedGetNBI";
  VisImplicit::Get(kCall, IndexedList{dstlist, dstcount, dstlen},
                   TargetOf(kCall, tm, srcrank),
                   IndexedList{srclist, srccount, srclen});
  return 0;
}
int gex_VIS_IndexedGetBlocking(gex_TM_t tm, size_t dstcount,
                               void* const dstlist[], size_t dstlen,
                               gex_Rank_t srcrank, size_t srccount,
                               void* const srclist[], size_t srclen,
                               gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_IndexedGetBlocking";
  VisBlocking::Get(kCall, IndexedList{dstlist, dstcount, dstlen},
                   TargetOf(kCall, tm, srcrank),
                   IndexedList{srclist, srccount, srclen});
  return 0;
}

// Strided.

gex_Event_t gex_VIS_StridedPutNB(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                                 const ptrdiff_t dststrides[], void* srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz,
                                 const size_t count[], size_t stridelevels,
                                 gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_StridedPutNB";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return GEX_EVENT_INVALID;
  return PutNB(kCall, TargetOf(kCall, tm, dstrank), strided);
}
int gex_VIS_StridedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                          const ptrdiff_t dststrides[], void* srcaddr,
                          const ptrdiff_t srcstrides[], size_t elemsz,
                          const size_t count[], size_t stridelevels,
                          gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_StridedPutNBI";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return 0;
  return PutNBI(kCall, TargetOf(kCall, tm, dstrank), strided);
}
int gex_VIS_StridedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                               const ptrdiff_t dststrides[], void* srcaddr,
                               const ptrdiff_t srcstrides[], size_t elemsz,
                               const size_t count[], size_t stridelevels,
                               gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_StridedPutBlocking";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return 0;
  return PutBlocking(kCall, TargetOf(kCall, tm, dstrank), strided);
}
gex_Event_t gex_VIS_StridedGetNB(gex_TM_t tm, void* dstaddr,
                                 const ptrdiff_t dststrides[],
                                 gex_Rank_t srcrank, void* srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz,
                                 const size_t count[], size_t stridelevels,
                                 gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_StridedGetNB";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return GEX_EVENT_INVALID;
  return VisExplicit::Get(kCall, TargetOf(kCall, tm, srcrank), strided);
}
int gex_VIS_StridedGetNBI(gex_TM_t tm, void* dstaddr,
                          const ptrdiff_t dststrides[], gex_Rank_t srcrank,
                          void* srcaddr, const ptrdiff_t srcstrides[],
                          size_t elemsz, const size_t count[],
                          size_t stridelevels, gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_StridedGetNBI";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return 0;
  VisImplicit::Get(kCall, TargetOf(kCall, tm, srcrank), strided);
  return 0;
}
int gex_VIS_StridedGetBlocking(gex_TM_t tm, void* dstaddr,
                               const ptrdiff_t dststrides[], gex_Rank_t srcrank,
                               void* srcaddr, const ptrdiff_t srcstrides[],
                               size_t elemsz, const size_t count[],
                               size_t stridelevels, gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_StridedGetBlocking";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return 0;
  VisBlocking::Get(kCall, TargetOf(kCall, tm, srcrank), strided);
  return 0;
}

void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t handler,
                                      const void* source_addr, size_t nbytes,
                                      gex_Flags_t) {
  constexpr char kCall[] = "gex_VIS_SetPeerCompletionHandler";
  gasnet::RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
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
