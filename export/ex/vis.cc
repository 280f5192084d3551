// The C functions of gasnet/ex_vis.h. A put with a peer completion handler is
// complete when its call returns.
#include <cstddef>
#include <span>

#include "base/log.h"
#include "core/phase.h"
#include "core/thread/rules.h"
#include "core/thread/thread_state.h"
#include "export/ex/immediate.h"
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
using gasnet::exported::Start;
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

// Returns true if the transfer is empty; the peer and the addresses then have
// no meaning. An empty put clears the peer completion handler.
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

// Puts with a peer completion handler.
template <class... Sides>
void PutArmed(const char* call, Target target, gex_Flags_t flags,
              const Sides&... sides) {
  gasnet::exported::RefuseImmediate(call, flags);
  if (target.endpoint != 0) {
    gasnet::Fatal(
        "%s: gex_VIS_SetPeerCompletionHandler was called before, and the put "
        "goes to endpoint %u; its message goes to primordial endpoints",
        call, target.endpoint);
  }
  VisBlocking::Put(call, target, sides...);
  gasnet::vis::SendPeerCompletion(target.node);
}

template <class... Sides>
int PutBlocking(const char* call, Target target, gex_Flags_t flags,
                const Sides&... sides) {
  Start start(flags);
  if (gasnet::vis::IsArmed()) {
    PutArmed(call, target, flags, sides...);
  } else {
    VisBlocking::Put(call, target, sides..., start.attempt());
  }
  return start.Code();
}
template <class... Sides>
gex_Event_t PutNB(const char* call, Target target, gex_Flags_t flags,
                  const Sides&... sides) {
  Start start(flags);
  if (!gasnet::vis::IsArmed())
    return start.Event(
        VisExplicit::Put(call, target, sides..., start.attempt()));
  PutArmed(call, target, flags, sides...);
  return GEX_EVENT_INVALID;
}
template <class... Sides>
int PutNBI(const char* call, Target target, gex_Flags_t flags,
           const Sides&... sides) {
  Start start(flags);
  if (gasnet::vis::IsArmed()) {
    PutArmed(call, target, flags, sides...);
  } else {
    VisImplicit::Put(call, target, sides..., start.attempt());
  }
  return start.Code();
}
}  // namespace

extern "C" {

// Vector.

gex_Event_t gex_VIS_VectorPutNB(gex_TM_t tm, gex_Rank_t dstrank,
                                size_t dstcount, gex_Memvec_t const dstlist[],
                                size_t srccount, gex_Memvec_t const srclist[],
                                gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_VectorPutNB";
  return PutNB(kCall, TargetOf(kCall, tm, dstrank), flags,
               Vector(dstlist, dstcount), Vector(srclist, srccount));
}
int gex_VIS_VectorPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                         gex_Memvec_t const dstlist[], size_t srccount,
                         gex_Memvec_t const srclist[], gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_VectorPutNBI";
  return PutNBI(kCall, TargetOf(kCall, tm, dstrank), flags,
                Vector(dstlist, dstcount), Vector(srclist, srccount));
}
int gex_VIS_VectorPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                              gex_Memvec_t const dstlist[], size_t srccount,
                              gex_Memvec_t const srclist[], gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_VectorPutBlocking";
  return PutBlocking(kCall, TargetOf(kCall, tm, dstrank), flags,
                     Vector(dstlist, dstcount), Vector(srclist, srccount));
}
gex_Event_t gex_VIS_VectorGetNB(gex_TM_t tm, size_t dstcount,
                                gex_Memvec_t const dstlist[],
                                gex_Rank_t srcrank, size_t srccount,
                                gex_Memvec_t const srclist[],
                                gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_VectorGetNB";
  Start start(flags);
  return start.Event(VisExplicit::Get(
      kCall, Vector(dstlist, dstcount), TargetOf(kCall, tm, srcrank),
      Vector(srclist, srccount), start.attempt()));
}
int gex_VIS_VectorGetNBI(gex_TM_t tm, size_t dstcount,
                         gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
                         size_t srccount, gex_Memvec_t const srclist[],
                         gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_VectorGetNBI";
  Start start(flags);
  VisImplicit::Get(kCall, Vector(dstlist, dstcount),
                   TargetOf(kCall, tm, srcrank), Vector(srclist, srccount),
                   start.attempt());
  return start.Code();
}
int gex_VIS_VectorGetBlocking(gex_TM_t tm, size_t dstcount,
                              gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
                              size_t srccount, gex_Memvec_t const srclist[],
                              gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_VectorGetBlocking";
  Start start(flags);
  VisBlocking::Get(kCall, Vector(dstlist, dstcount),
                   TargetOf(kCall, tm, srcrank), Vector(srclist, srccount),
                   start.attempt());
  return start.Code();
}

// Indexed.

gex_Event_t gex_VIS_IndexedPutNB(gex_TM_t tm, gex_Rank_t dstrank,
                                 size_t dstcount, void* const dstlist[],
                                 size_t dstlen, size_t srccount,
                                 void* const srclist[], size_t srclen,
                                 gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_IndexedPutNB";
  return PutNB(kCall, TargetOf(kCall, tm, dstrank), flags,
               IndexedList{dstlist, dstcount, dstlen},
               IndexedList{srclist, srccount, srclen});
}
int gex_VIS_IndexedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                          void* const dstlist[], size_t dstlen, size_t srccount,
                          void* const srclist[], size_t srclen,
                          gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_IndexedPutNBI";
  return PutNBI(kCall, TargetOf(kCall, tm, dstrank), flags,
                IndexedList{dstlist, dstcount, dstlen},
                IndexedList{srclist, srccount, srclen});
}
int gex_VIS_IndexedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                               void* const dstlist[], size_t dstlen,
                               size_t srccount, void* const srclist[],
                               size_t srclen, gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_IndexedPutBlocking";
  return PutBlocking(kCall, TargetOf(kCall, tm, dstrank), flags,
                     IndexedList{dstlist, dstcount, dstlen},
                     IndexedList{srclist, srccount, srclen});
}
gex_Event_t gex_VIS_IndexedGetNB(gex_TM_t tm, size_t dstcount,
                                 void* const dstlist[], size_t dstlen,
                                 gex_Rank_t srcrank, size_t srccount,
                                 void* const srclist[], size_t srclen,
                                 gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_IndexedGetNB";
  Start start(flags);
  return start.Event(VisExplicit::Get(
      kCall, IndexedList{dstlist, dstcount, dstlen},
      TargetOf(kCall, tm, srcrank), IndexedList{srclist, srccount, srclen},
      start.attempt()));
}
int gex_VIS_IndexedGetNBI(gex_TM_t tm, size_t dstcount, void* const dstlist[],
                          size_t dstlen, gex_Rank_t srcrank, size_t srccount,
                          void* const srclist[], size_t srclen,
                          gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_IndexedGetNBI";
  Start start(flags);
  VisImplicit::Get(kCall, IndexedList{dstlist, dstcount, dstlen},
                   TargetOf(kCall, tm, srcrank),
                   IndexedList{srclist, srccount, srclen}, start.attempt());
  return start.Code();
}
int gex_VIS_IndexedGetBlocking(gex_TM_t tm, size_t dstcount,
                               void* const dstlist[], size_t dstlen,
                               gex_Rank_t srcrank, size_t srccount,
                               void* const srclist[], size_t srclen,
                               gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_IndexedGetBlocking";
  Start start(flags);
  VisBlocking::Get(kCall, IndexedList{dstlist, dstcount, dstlen},
                   TargetOf(kCall, tm, srcrank),
                   IndexedList{srclist, srccount, srclen}, start.attempt());
  return start.Code();
}

// Strided.

gex_Event_t gex_VIS_StridedPutNB(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                                 const ptrdiff_t dststrides[], void* srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz,
                                 const size_t count[], size_t stridelevels,
                                 gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_StridedPutNB";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return GEX_EVENT_INVALID;
  return PutNB(kCall, TargetOf(kCall, tm, dstrank), flags, strided);
}
int gex_VIS_StridedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                          const ptrdiff_t dststrides[], void* srcaddr,
                          const ptrdiff_t srcstrides[], size_t elemsz,
                          const size_t count[], size_t stridelevels,
                          gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_StridedPutNBI";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return 0;
  return PutNBI(kCall, TargetOf(kCall, tm, dstrank), flags, strided);
}
int gex_VIS_StridedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, void* dstaddr,
                               const ptrdiff_t dststrides[], void* srcaddr,
                               const ptrdiff_t srcstrides[], size_t elemsz,
                               const size_t count[], size_t stridelevels,
                               gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_StridedPutBlocking";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (PutsNothing(kCall, strided)) return 0;
  return PutBlocking(kCall, TargetOf(kCall, tm, dstrank), flags, strided);
}
gex_Event_t gex_VIS_StridedGetNB(gex_TM_t tm, void* dstaddr,
                                 const ptrdiff_t dststrides[],
                                 gex_Rank_t srcrank, void* srcaddr,
                                 const ptrdiff_t srcstrides[], size_t elemsz,
                                 const size_t count[], size_t stridelevels,
                                 gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_StridedGetNB";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return GEX_EVENT_INVALID;
  Start start(flags);
  return start.Event(VisExplicit::Get(kCall, TargetOf(kCall, tm, srcrank),
                                      strided, start.attempt()));
}
int gex_VIS_StridedGetNBI(gex_TM_t tm, void* dstaddr,
                          const ptrdiff_t dststrides[], gex_Rank_t srcrank,
                          void* srcaddr, const ptrdiff_t srcstrides[],
                          size_t elemsz, const size_t count[],
                          size_t stridelevels, gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_StridedGetNBI";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return 0;
  Start start(flags);
  VisImplicit::Get(kCall, TargetOf(kCall, tm, srcrank), strided,
                   start.attempt());
  return start.Code();
}
int gex_VIS_StridedGetBlocking(gex_TM_t tm, void* dstaddr,
                               const ptrdiff_t dststrides[], gex_Rank_t srcrank,
                               void* srcaddr, const ptrdiff_t srcstrides[],
                               size_t elemsz, const size_t count[],
                               size_t stridelevels, gex_Flags_t flags) {
  constexpr char kCall[] = "gex_VIS_StridedGetBlocking";
  const StridedCall strided = Strided(dstaddr, dststrides, srcaddr, srcstrides,
                                      elemsz, count, stridelevels);
  if (IsNothing(kCall, strided)) return 0;
  Start start(flags);
  VisBlocking::Get(kCall, TargetOf(kCall, tm, srcrank), strided,
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
