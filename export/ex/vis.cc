// The C functions of gasnet/ex_vis.h for vectors and indexed lists.
#include <cstddef>
#include <span>

#include "export/ex/immediate.h"
#include "export/ex/observed.h"
#include "export/ex/vis_calls.h"
#include "extended/target.h"
#include "gasnet_vis.h"
#include "gasnetex.h"
#include "vis/front.h"

namespace {
using gasnet::exported::Bytes;
using gasnet::exported::PutBlocking;
using gasnet::exported::PutNB;
using gasnet::exported::PutNBI;
using gasnet::exported::Run;
using gasnet::exported::Start;
using gasnet::exported::ToRank;
using gasnet::exported::VectorBytes;
using gasnet::exported::VisBlocking;
using gasnet::exported::VisExplicit;
using gasnet::exported::VisImplicit;
using gasnet::exported::VisTargetOf;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using gasnet::vis::IndexedList;
using gasnet::vis::VectorList;

VectorList Vector(const gex_Memvec_t* list, size_t count) {
  static_assert(sizeof(gex_Memvec_t) == sizeof(gasnet_memvec_t));
  return {reinterpret_cast<const gasnet_memvec_t*>(list), count};
}
}  // namespace

extern "C" {

// Functions for vectors.

gex_Event_t gex_VIS_VectorPutNB(gex_TM_t tm, gex_Rank_t dstrank,
                                size_t dstcount, gex_Memvec_t const dstlist[],
                                size_t srccount, gex_Memvec_t const srclist[],
                                gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISVectorPutNB, &gex_VIS_VectorPutNB, ToRank<0, 1>,
               VectorBytes<4, 5>>(tm, dstrank, dstcount, dstlist, srccount,
                                  srclist, flags);
  constexpr char kCall[] = "gex_VIS_VectorPutNB";
  return PutNB(kCall, VisTargetOf(kCall, tm, dstrank), flags,
               Vector(dstlist, dstcount), Vector(srclist, srccount));
}
int gex_VIS_VectorPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                         gex_Memvec_t const dstlist[], size_t srccount,
                         gex_Memvec_t const srclist[], gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISVectorPutNBI, &gex_VIS_VectorPutNBI, ToRank<0, 1>,
               VectorBytes<4, 5>>(tm, dstrank, dstcount, dstlist, srccount,
                                  srclist, flags);
  constexpr char kCall[] = "gex_VIS_VectorPutNBI";
  return PutNBI(kCall, VisTargetOf(kCall, tm, dstrank), flags,
                Vector(dstlist, dstcount), Vector(srclist, srccount));
}
int gex_VIS_VectorPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                              gex_Memvec_t const dstlist[], size_t srccount,
                              gex_Memvec_t const srclist[], gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISVectorPutBlocking, &gex_VIS_VectorPutBlocking,
               ToRank<0, 1>, VectorBytes<4, 5>>(tm, dstrank, dstcount, dstlist,
                                                srccount, srclist, flags);
  constexpr char kCall[] = "gex_VIS_VectorPutBlocking";
  return PutBlocking(kCall, VisTargetOf(kCall, tm, dstrank), flags,
                     Vector(dstlist, dstcount), Vector(srclist, srccount));
}
gex_Event_t gex_VIS_VectorGetNB(gex_TM_t tm, size_t dstcount,
                                gex_Memvec_t const dstlist[],
                                gex_Rank_t srcrank, size_t srccount,
                                gex_Memvec_t const srclist[],
                                gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISVectorGetNB, &gex_VIS_VectorGetNB, ToRank<0, 3>,
               VectorBytes<4, 5>>(tm, dstcount, dstlist, srcrank, srccount,
                                  srclist, flags);
  constexpr char kCall[] = "gex_VIS_VectorGetNB";
  Start start(flags);
  return start.Event(VisExplicit::Get(
      kCall, Vector(dstlist, dstcount), VisTargetOf(kCall, tm, srcrank),
      Vector(srclist, srccount), start.attempt()));
}
int gex_VIS_VectorGetNBI(gex_TM_t tm, size_t dstcount,
                         gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
                         size_t srccount, gex_Memvec_t const srclist[],
                         gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISVectorGetNBI, &gex_VIS_VectorGetNBI, ToRank<0, 3>,
               VectorBytes<4, 5>>(tm, dstcount, dstlist, srcrank, srccount,
                                  srclist, flags);
  constexpr char kCall[] = "gex_VIS_VectorGetNBI";
  Start start(flags);
  VisImplicit::Get(kCall, Vector(dstlist, dstcount),
                   VisTargetOf(kCall, tm, srcrank), Vector(srclist, srccount),
                   start.attempt());
  return start.Code();
}
int gex_VIS_VectorGetBlocking(gex_TM_t tm, size_t dstcount,
                              gex_Memvec_t const dstlist[], gex_Rank_t srcrank,
                              size_t srccount, gex_Memvec_t const srclist[],
                              gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISVectorGetBlocking, &gex_VIS_VectorGetBlocking,
               ToRank<0, 3>, VectorBytes<4, 5>>(tm, dstcount, dstlist, srcrank,
                                                srccount, srclist, flags);
  constexpr char kCall[] = "gex_VIS_VectorGetBlocking";
  Start start(flags);
  VisBlocking::Get(kCall, Vector(dstlist, dstcount),
                   VisTargetOf(kCall, tm, srcrank), Vector(srclist, srccount),
                   start.attempt());
  return start.Code();
}

// Functions for indexed lists.

gex_Event_t gex_VIS_IndexedPutNB(gex_TM_t tm, gex_Rank_t dstrank,
                                 size_t dstcount, void* const dstlist[],
                                 size_t dstlen, size_t srccount,
                                 void* const srclist[], size_t srclen,
                                 gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISIndexedPutNB, &gex_VIS_IndexedPutNB, ToRank<0, 1>,
               Bytes<5, 7>>(tm, dstrank, dstcount, dstlist, dstlen, srccount,
                            srclist, srclen, flags);
  constexpr char kCall[] = "gex_VIS_IndexedPutNB";
  return PutNB(kCall, VisTargetOf(kCall, tm, dstrank), flags,
               IndexedList{dstlist, dstcount, dstlen},
               IndexedList{srclist, srccount, srclen});
}
int gex_VIS_IndexedPutNBI(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                          void* const dstlist[], size_t dstlen, size_t srccount,
                          void* const srclist[], size_t srclen,
                          gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISIndexedPutNBI, &gex_VIS_IndexedPutNBI, ToRank<0, 1>,
               Bytes<5, 7>>(tm, dstrank, dstcount, dstlist, dstlen, srccount,
                            srclist, srclen, flags);
  constexpr char kCall[] = "gex_VIS_IndexedPutNBI";
  return PutNBI(kCall, VisTargetOf(kCall, tm, dstrank), flags,
                IndexedList{dstlist, dstcount, dstlen},
                IndexedList{srclist, srccount, srclen});
}
int gex_VIS_IndexedPutBlocking(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount,
                               void* const dstlist[], size_t dstlen,
                               size_t srccount, void* const srclist[],
                               size_t srclen, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISIndexedPutBlocking, &gex_VIS_IndexedPutBlocking,
               ToRank<0, 1>, Bytes<5, 7>>(tm, dstrank, dstcount, dstlist,
                                          dstlen, srccount, srclist, srclen,
                                          flags);
  constexpr char kCall[] = "gex_VIS_IndexedPutBlocking";
  return PutBlocking(kCall, VisTargetOf(kCall, tm, dstrank), flags,
                     IndexedList{dstlist, dstcount, dstlen},
                     IndexedList{srclist, srccount, srclen});
}
gex_Event_t gex_VIS_IndexedGetNB(gex_TM_t tm, size_t dstcount,
                                 void* const dstlist[], size_t dstlen,
                                 gex_Rank_t srcrank, size_t srccount,
                                 void* const srclist[], size_t srclen,
                                 gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISIndexedGetNB, &gex_VIS_IndexedGetNB, ToRank<0, 4>,
               Bytes<5, 7>>(tm, dstcount, dstlist, dstlen, srcrank, srccount,
                            srclist, srclen, flags);
  constexpr char kCall[] = "gex_VIS_IndexedGetNB";
  Start start(flags);
  return start.Event(VisExplicit::Get(
      kCall, IndexedList{dstlist, dstcount, dstlen},
      VisTargetOf(kCall, tm, srcrank), IndexedList{srclist, srccount, srclen},
      start.attempt()));
}
int gex_VIS_IndexedGetNBI(gex_TM_t tm, size_t dstcount, void* const dstlist[],
                          size_t dstlen, gex_Rank_t srcrank, size_t srccount,
                          void* const srclist[], size_t srclen,
                          gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISIndexedGetNBI, &gex_VIS_IndexedGetNBI, ToRank<0, 4>,
               Bytes<5, 7>>(tm, dstcount, dstlist, dstlen, srcrank, srccount,
                            srclist, srclen, flags);
  constexpr char kCall[] = "gex_VIS_IndexedGetNBI";
  Start start(flags);
  VisImplicit::Get(kCall, IndexedList{dstlist, dstcount, dstlen},
                   VisTargetOf(kCall, tm, srcrank),
                   IndexedList{srclist, srccount, srclen}, start.attempt());
  return start.Code();
}
int gex_VIS_IndexedGetBlocking(gex_TM_t tm, size_t dstcount,
                               void* const dstlist[], size_t dstlen,
                               gex_Rank_t srcrank, size_t srccount,
                               void* const srclist[], size_t srclen,
                               gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexVISIndexedGetBlocking, &gex_VIS_IndexedGetBlocking,
               ToRank<0, 4>, Bytes<5, 7>>(tm, dstcount, dstlist, dstlen,
                                          srcrank, srccount, srclist, srclen,
                                          flags);
  constexpr char kCall[] = "gex_VIS_IndexedGetBlocking";
  Start start(flags);
  VisBlocking::Get(kCall, IndexedList{dstlist, dstcount, dstlen},
                   VisTargetOf(kCall, tm, srcrank),
                   IndexedList{srclist, srccount, srclen}, start.attempt());
  return start.Code();
}

}  // extern "C"
