// The C functions of gasnet/ex_rma.h, for memory that is not mapped here and in
// debug builds. GEX_FLAG_IMMEDIATE is a permission that these calls do not use.
#include "export/ex/local_completion.h"
#include "export/ex/peers.h"
#include "extended/front.h"
#include "extended/target.h"
#include "gasnetex.h"

namespace {
using ExtendedFront = gasnet::extended::Front;
using gasnet::exported::CheckLcOpt;
using gasnet::exported::IsEventWanted;
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
                                const void* src, size_t nbytes, gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_PutBlocking";
  ExtendedFront::Put(kCall, TargetOf(kCall, tm, rank), dest, src, nbytes);
  return 0;
}
gex_Event_t gasneti_gex_RMA_PutNB(gex_TM_t tm, gex_Rank_t rank, void* dest,
                                  const void* src, size_t nbytes,
                                  gex_Event_t* lc_opt, gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_PutNB";
  CheckLcOpt(kCall, lc_opt, gasnet::exported::kOfPutNb);
  const gex_Event_t root = ExtendedFront::PutNb(
      kCall, TargetOf(kCall, tm, rank), dest, src, nbytes, SourceOf(lc_opt));
  if (IsEventWanted(lc_opt)) {
    *lc_opt = ExtendedFront::LeafOf(kCall, root, gasnet::extended::kSources);
  }
  return root;
}
int gasneti_gex_RMA_PutNBI(gex_TM_t tm, gex_Rank_t rank, void* dest,
                           const void* src, size_t nbytes, gex_Event_t* lc_opt,
                           gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_PutNBI";
  CheckLcOpt(kCall, lc_opt, gasnet::exported::kOfPutNbi);
  ExtendedFront::PutNbi(kCall, TargetOf(kCall, tm, rank), dest, src, nbytes,
                        SourceOf(lc_opt));
  return 0;
}

int gasneti_gex_RMA_GetBlocking(gex_TM_t tm, void* dest, gex_Rank_t rank,
                                void* src, size_t nbytes, gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_GetBlocking";
  ExtendedFront::Get(kCall, dest, TargetOf(kCall, tm, rank), src, nbytes);
  return 0;
}
gex_Event_t gasneti_gex_RMA_GetNB(gex_TM_t tm, void* dest, gex_Rank_t rank,
                                  void* src, size_t nbytes, gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_GetNB";
  return ExtendedFront::GetNb(kCall, dest, TargetOf(kCall, tm, rank), src,
                              nbytes);
}
int gasneti_gex_RMA_GetNBI(gex_TM_t tm, void* dest, gex_Rank_t rank, void* src,
                           size_t nbytes, gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_GetNBI";
  ExtendedFront::GetNbi(kCall, dest, TargetOf(kCall, tm, rank), src, nbytes);
  return 0;
}

gex_RMA_Value_t gasneti_gex_RMA_GetBlockingVal(gex_TM_t tm, gex_Rank_t rank,
                                               void* src, size_t nbytes,
                                               gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_GetBlockingVal";
  return ExtendedFront::GetValue(kCall, TargetOf(kCall, tm, rank), src, nbytes);
}
int gasneti_gex_RMA_PutBlockingVal(gex_TM_t tm, gex_Rank_t rank, void* dest,
                                   gex_RMA_Value_t value, size_t nbytes,
                                   gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_PutBlockingVal";
  ExtendedFront::PutValue(kCall, TargetOf(kCall, tm, rank), dest, value,
                          nbytes);
  return 0;
}
gex_Event_t gasneti_gex_RMA_PutNBVal(gex_TM_t tm, gex_Rank_t rank, void* dest,
                                     gex_RMA_Value_t value, size_t nbytes,
                                     gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_PutNBVal";
  return ExtendedFront::PutValueNb(kCall, TargetOf(kCall, tm, rank), dest,
                                   value, nbytes);
}
int gasneti_gex_RMA_PutNBIVal(gex_TM_t tm, gex_Rank_t rank, void* dest,
                              gex_RMA_Value_t value, size_t nbytes,
                              gex_Flags_t) {
  constexpr char kCall[] = "gex_RMA_PutNBIVal";
  ExtendedFront::PutValueNbi(kCall, TargetOf(kCall, tm, rank), dest, value,
                             nbytes);
  return 0;
}

}  // extern "C"
