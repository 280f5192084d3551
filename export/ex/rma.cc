// The C functions of gasnet/ex_rma.h. The client's inlined code calls them for
// memory that is not mapped in this process, and always in debug builds.
#include "export/ex/immediate.h"
#include "export/ex/local_completion.h"
#include "export/ex/observed.h"
#include "export/ex/peers.h"
#include "extended/front.h"
#include "extended/target.h"
#include "gasnetex.h"

namespace {
using gasnet::exported::Bytes;
using gasnet::exported::Run;
using gasnet::exported::ToRank;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using ExtendedFront = gasnet::extended::Front;
using gasnet::exported::CheckLcOpt;
using gasnet::exported::IsEventWanted;
using gasnet::exported::Start;
using gasnet::extended::Source;
using gasnet::extended::Target;

Target TargetOf(const char* call, gex_TM_t tm, gex_Rank_t rank) {
  return gasnet::exported::TargetOf(call, tm, rank, GEX_EP_CAPABILITY_RMA);
}

Source SourceOf(const gex_Event_t* lc_opt) {
  return lc_opt == GEX_EVENT_NOW ? Source::kReusable : Source::kStays;
}
}  // namespace

extern "C" {

int gasneti_gex_RMA_PutBlocking(gex_TM_t tm, gex_Rank_t rank, void* dest,
                                const void* src, size_t nbytes,
                                gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAPutBlocking, &gasneti_gex_RMA_PutBlocking,
               ToRank<0, 1>, Bytes<4>>(tm, rank, dest, src, nbytes, flags);
  constexpr char kCall[] = "gex_RMA_PutBlocking";
  Start start(flags);
  ExtendedFront::Put(kCall, TargetOf(kCall, tm, rank), dest, src, nbytes,
                     start.attempt());
  return start.Code();
}
gex_Event_t gasneti_gex_RMA_PutNB(gex_TM_t tm, gex_Rank_t rank, void* dest,
                                  const void* src, size_t nbytes,
                                  gex_Event_t* lc_opt, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAPutNB, &gasneti_gex_RMA_PutNB, ToRank<0, 1>,
               Bytes<4>>(tm, rank, dest, src, nbytes, lc_opt, flags);
  constexpr char kCall[] = "gex_RMA_PutNB";
  Start start(flags);
  CheckLcOpt(kCall, lc_opt, gasnet::exported::kOfPutNb);
  const gex_Event_t root =
      ExtendedFront::PutNb(kCall, TargetOf(kCall, tm, rank), dest, src, nbytes,
                           SourceOf(lc_opt), start.attempt());
  if (start.refused()) return GEX_EVENT_NO_OP;
  if (IsEventWanted(lc_opt)) {
    *lc_opt = ExtendedFront::LeafOf(kCall, root, gasnet::extended::kSources);
  }
  return root;
}
int gasneti_gex_RMA_PutNBI(gex_TM_t tm, gex_Rank_t rank, void* dest,
                           const void* src, size_t nbytes, gex_Event_t* lc_opt,
                           gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAPutNBI, &gasneti_gex_RMA_PutNBI, ToRank<0, 1>,
               Bytes<4>>(tm, rank, dest, src, nbytes, lc_opt, flags);
  constexpr char kCall[] = "gex_RMA_PutNBI";
  Start start(flags);
  CheckLcOpt(kCall, lc_opt, gasnet::exported::kOfPutNbi);
  ExtendedFront::PutNbi(kCall, TargetOf(kCall, tm, rank), dest, src, nbytes,
                        SourceOf(lc_opt), start.attempt());
  return start.Code();
}

int gasneti_gex_RMA_GetBlocking(gex_TM_t tm, void* dest, gex_Rank_t rank,
                                void* src, size_t nbytes, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAGetBlocking, &gasneti_gex_RMA_GetBlocking,
               ToRank<0, 2>, Bytes<4>>(tm, dest, rank, src, nbytes, flags);
  constexpr char kCall[] = "gex_RMA_GetBlocking";
  Start start(flags);
  ExtendedFront::Get(kCall, dest, TargetOf(kCall, tm, rank), src, nbytes,
                     start.attempt());
  return start.Code();
}
gex_Event_t gasneti_gex_RMA_GetNB(gex_TM_t tm, void* dest, gex_Rank_t rank,
                                  void* src, size_t nbytes, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAGetNB, &gasneti_gex_RMA_GetNB, ToRank<0, 2>,
               Bytes<4>>(tm, dest, rank, src, nbytes, flags);
  constexpr char kCall[] = "gex_RMA_GetNB";
  Start start(flags);
  return start.Event(ExtendedFront::GetNb(
      kCall, dest, TargetOf(kCall, tm, rank), src, nbytes, start.attempt()));
}
int gasneti_gex_RMA_GetNBI(gex_TM_t tm, void* dest, gex_Rank_t rank, void* src,
                           size_t nbytes, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAGetNBI, &gasneti_gex_RMA_GetNBI, ToRank<0, 2>,
               Bytes<4>>(tm, dest, rank, src, nbytes, flags);
  constexpr char kCall[] = "gex_RMA_GetNBI";
  Start start(flags);
  ExtendedFront::GetNbi(kCall, dest, TargetOf(kCall, tm, rank), src, nbytes,
                        start.attempt());
  return start.Code();
}

gex_RMA_Value_t gasneti_gex_RMA_GetBlockingVal(gex_TM_t tm, gex_Rank_t rank,
                                               void* src, size_t nbytes,
                                               gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAGetBlockingVal, &gasneti_gex_RMA_GetBlockingVal,
               ToRank<0, 1>, Bytes<3>>(tm, rank, src, nbytes, flags);
  constexpr char kCall[] = "gex_RMA_GetBlockingVal";
  return ExtendedFront::GetValue(kCall, TargetOf(kCall, tm, rank), src, nbytes);
}
int gasneti_gex_RMA_PutBlockingVal(gex_TM_t tm, gex_Rank_t rank, void* dest,
                                   gex_RMA_Value_t value, size_t nbytes,
                                   gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAPutBlockingVal, &gasneti_gex_RMA_PutBlockingVal,
               ToRank<0, 1>, Bytes<4>>(tm, rank, dest, value, nbytes, flags);
  constexpr char kCall[] = "gex_RMA_PutBlockingVal";
  Start start(flags);
  ExtendedFront::PutValue(kCall, TargetOf(kCall, tm, rank), dest, value, nbytes,
                          start.attempt());
  return start.Code();
}
gex_Event_t gasneti_gex_RMA_PutNBVal(gex_TM_t tm, gex_Rank_t rank, void* dest,
                                     gex_RMA_Value_t value, size_t nbytes,
                                     gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAPutNBVal, &gasneti_gex_RMA_PutNBVal, ToRank<0, 1>,
               Bytes<4>>(tm, rank, dest, value, nbytes, flags);
  constexpr char kCall[] = "gex_RMA_PutNBVal";
  Start start(flags);
  return start.Event(ExtendedFront::PutValueNb(
      kCall, TargetOf(kCall, tm, rank), dest, value, nbytes, start.attempt()));
}
int gasneti_gex_RMA_PutNBIVal(gex_TM_t tm, gex_Rank_t rank, void* dest,
                              gex_RMA_Value_t value, size_t nbytes,
                              gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexRMAPutNBIVal, &gasneti_gex_RMA_PutNBIVal, ToRank<0, 1>,
               Bytes<4>>(tm, rank, dest, value, nbytes, flags);
  constexpr char kCall[] = "gex_RMA_PutNBIVal";
  Start start(flags);
  ExtendedFront::PutValueNbi(kCall, TargetOf(kCall, tm, rank), dest, value,
                             nbytes, start.attempt());
  return start.Code();
}

}  // extern "C"
