// The C functions of gasnet/ex_atomics.h. The GEX_FLAG_AD_* that describe a
// domain or target are hints, and have no effect here.
//
// GEX_FLAG_AD_REL and _ACQ need no extra work if messages carry the operation,
// since messages order memory. If the processor performs the operation, its
// sequentially consistent atomic orders memory too, with one exception: an
// operation that only loads does not order the stores before it. A network that
// performs atomics promises the same order (core/rma/rma.h).
#include <bit>

#include "ex/atomic_apply.h"
#include "ex/atomic_domain.h"
#include "ex/atomics.h"
#include "ex/teams.h"
#include "export/ex/atomic_checks.h"
#include "export/ex/immediate.h"
#include "export/ex/observed.h"
#include "export/ex/peers.h"
#include "extended/argument_checks.h"
#include "extended/front.h"
#include "gasnet_ratomic.h"
#include "gasnetex.h"

namespace {
using gasnet::ex::Atomics;
using gasnet::exported::Run;
using gasnet::exported::ToDomainRank;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;

gasnet::Rank NodeOf(gex_AD_t ad, gex_Rank_t rank, gex_Flags_t flags) {
  const gex_TM_t tm = ad->tm;
  if (tm == &gasneti_tm_all || (flags & GEX_FLAG_RANK_IS_JOBRANK) != 0)
    return rank;
  return gasneti_node_of(gasneti_team_of(tm), rank);
}

// Returns true and sets `local` to the address in this process, if the target
// is mapped here. Covers the segments of primordial endpoints. `target` may be
// any address.
bool FindMapped(gex_AD_t ad, gex_Rank_t rank, const void* target,
                gex_Flags_t flags, unsigned char** local) {
  return !GASNETI_CHECKED && !gasnet::ex::Teams::IsFurther(ad->tm) &&
         gasneti_mapped(NodeOf(ad, rank, flags), target, local) != 0;
}

template <class T>
const char* CallOf(bool implicit) {
  static constexpr const char* kCalls[][2] = {
      {"gex_AD_OpNB_I32", "gex_AD_OpNBI_I32"},
      {"gex_AD_OpNB_U32", "gex_AD_OpNBI_U32"},
      {"gex_AD_OpNB_I64", "gex_AD_OpNBI_I64"},
      {"gex_AD_OpNB_U64", "gex_AD_OpNBI_U64"},
      {"gex_AD_OpNB_FLT", "gex_AD_OpNBI_FLT"},
      {"gex_AD_OpNB_DBL", "gex_AD_OpNBI_DBL"},
  };
  return kCalls[std::countr_zero(gasnet::ex::TypeOf<T>())][implicit];
}

template <class T>
void Check(bool implicit, gex_AD_t ad, const T* result, gex_Rank_t rank,
           const void* target, gex_OP_t operation, gex_Flags_t flags) {
  gasnet::exported::CheckAtomic({CallOf<T>(implicit), ad,
                                 gasnet::ex::TypeOf<T>(), sizeof(T), result,
                                 rank, target, operation, flags});
}

// The Start* functions start operations on memory that is not mapped here, and
// in debug builds all operations. They are not inlined, and take the arguments
// as their caller got them, so that the caller saves no registers for the call.

template <class T>
[[gnu::noinline]] gex_Event_t StartNb(gex_AD_t ad, T* result, gex_Rank_t rank,
                                      void* target, gex_OP_t operation,
                                      T operand1, T operand2,
                                      gex_Flags_t flags) {
  gasnet::extended::CheckCall(CallOf<T>(false));
  Check(false, ad, result, rank, target, operation, flags);
  gasnet::exported::Start start(flags);
  gasnet::extended::Operation* const started =
      Atomics::StartNb(NodeOf(ad, rank, flags), result, target, operation,
                       operand1, operand2, start.attempt());
  return start.Event(started != nullptr ? gasnet::extended::ToHandle(*started)
                                        : GEX_EVENT_INVALID);
}

template <class T>
[[gnu::noinline]] int StartNbi(gex_AD_t ad, T* result, gex_Rank_t rank,
                               void* target, gex_OP_t operation, T operand1,
                               T operand2, gex_Flags_t flags) {
  gasnet::extended::CheckCall(CallOf<T>(true));
  Check(true, ad, result, rank, target, operation, flags);
  gasnet::exported::Start start(flags);
  Atomics::StartNbi(NodeOf(ad, rank, flags), result, target, operation,
                    operand1, operand2, start.attempt());
  return start.Code();
}

// Performs an operation on mapped memory.
template <class T>
[[gnu::always_inline]] inline void Perform(gex_OP_t operation, void* target,
                                           T* result, T operand1, T operand2,
                                           gex_Flags_t flags) {
  if ((flags & GEX_FLAG_AD_REL) != 0 && (operation & GASNETI_AD_LOADS) != 0)
    GASNETI_FENCE();
  gasnet::ex::Apply(operation, target, result, operand1, operand2);
}

template <class T>
gex_Event_t OpNb(gex_AD_t ad, T* result, gex_Rank_t rank, void* target,
                 gex_OP_t operation, T operand1, T operand2,
                 gex_Flags_t flags) {
  unsigned char* local;
  if (!FindMapped(ad, rank, target, flags, &local)) [[unlikely]] {
    return StartNb(ad, result, rank, target, operation, operand1, operand2,
                   flags);
  }
  Perform(operation, local, result, operand1, operand2, flags);
  return GEX_EVENT_INVALID;
}

template <class T>
int OpNbi(gex_AD_t ad, T* result, gex_Rank_t rank, void* target,
          gex_OP_t operation, T operand1, T operand2, gex_Flags_t flags) {
  unsigned char* local;
  if (!FindMapped(ad, rank, target, flags, &local)) [[unlikely]] {
    return StartNbi(ad, result, rank, target, operation, operand1, operand2,
                    flags);
  }
  Perform(operation, local, result, operand1, operand2, flags);
  return 0;
}
}  // namespace

extern "C" {

void gex_AD_Create(gex_AD_t* ad_p, gex_TM_t tm, gex_DT_t dt, gex_OP_t ops,
                   gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADCreate, &gex_AD_Create>(ad_p, tm, dt, ops, flags);
  gasnet::extended::CheckCall("gex_AD_Create");
  gasnet::exported::CheckDomain(tm, dt, ops, flags);
  gasnet::exported::RequireCapability("gex_AD_Create", *gex_TM_QueryEP(tm),
                                      GEX_EP_CAPABILITY_AD);
  *ad_p = new gasneti_ad{tm, dt, ops, flags, {}};
  gasnet::exported::NoteDomain(**ad_p);
}
void gex_AD_Destroy(gex_AD_t ad) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADDestroy, &gex_AD_Destroy>(ad);
  gasnet::extended::CheckCall("gex_AD_Destroy");
  gasnet::exported::ForgetDomain(ad);
  delete ad;
}
gex_Flags_t gex_AD_QueryFlags(gex_AD_t ad) {
  return gasnet::exported::CheckedDomain("gex_AD_QueryFlags", ad).flags;
}
gex_TM_t gex_AD_QueryTM(gex_AD_t ad) {
  return gasnet::exported::CheckedDomain("gex_AD_QueryTM", ad).tm;
}
gex_DT_t gex_AD_QueryDT(gex_AD_t ad) {
  return gasnet::exported::CheckedDomain("gex_AD_QueryDT", ad).dt;
}
gex_OP_t gex_AD_QueryOps(gex_AD_t ad) {
  return gasnet::exported::CheckedDomain("gex_AD_QueryOps", ad).ops;
}
void gex_AD_SetCData(gex_AD_t ad, const void* val) {
  gasnet::exported::CheckedDomain("gex_AD_SetCData", ad).data.Set(val);
}
void* gex_AD_QueryCData(gex_AD_t ad) {
  return gasnet::exported::CheckedDomain("gex_AD_QueryCData", ad).data.Get();
}

gex_Event_t gasneti_gex_AD_OpNB_I32(gex_AD_t ad, int32_t* result_p,
                                    gex_Rank_t tgt_rank, void* tgt_addr,
                                    gex_OP_t opcode, int32_t operand1,
                                    int32_t operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBI32, &gasneti_gex_AD_OpNB_I32,
               ToDomainRank<0, 2, 7>>(ad, result_p, tgt_rank, tgt_addr, opcode,
                                      operand1, operand2, flags);
  return OpNb(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
              flags);
}
int gasneti_gex_AD_OpNBI_I32(gex_AD_t ad, int32_t* result_p,
                             gex_Rank_t tgt_rank, void* tgt_addr,
                             gex_OP_t opcode, int32_t operand1,
                             int32_t operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBII32, &gasneti_gex_AD_OpNBI_I32,
               ToDomainRank<0, 2, 7>>(ad, result_p, tgt_rank, tgt_addr, opcode,
                                      operand1, operand2, flags);
  return OpNbi(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
               flags);
}
gex_Event_t gasneti_gex_AD_OpNB_U32(gex_AD_t ad, uint32_t* result_p,
                                    gex_Rank_t tgt_rank, void* tgt_addr,
                                    gex_OP_t opcode, uint32_t operand1,
                                    uint32_t operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBU32, &gasneti_gex_AD_OpNB_U32,
               ToDomainRank<0, 2, 7>>(ad, result_p, tgt_rank, tgt_addr, opcode,
                                      operand1, operand2, flags);
  return OpNb(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
              flags);
}
int gasneti_gex_AD_OpNBI_U32(gex_AD_t ad, uint32_t* result_p,
                             gex_Rank_t tgt_rank, void* tgt_addr,
                             gex_OP_t opcode, uint32_t operand1,
                             uint32_t operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBIU32, &gasneti_gex_AD_OpNBI_U32,
               ToDomainRank<0, 2, 7>>(ad, result_p, tgt_rank, tgt_addr, opcode,
                                      operand1, operand2, flags);
  return OpNbi(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
               flags);
}
gex_Event_t gasneti_gex_AD_OpNB_I64(gex_AD_t ad, int64_t* result_p,
                                    gex_Rank_t tgt_rank, void* tgt_addr,
                                    gex_OP_t opcode, int64_t operand1,
                                    int64_t operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBI64, &gasneti_gex_AD_OpNB_I64,
               ToDomainRank<0, 2, 7>>(ad, result_p, tgt_rank, tgt_addr, opcode,
                                      operand1, operand2, flags);
  return OpNb(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
              flags);
}
int gasneti_gex_AD_OpNBI_I64(gex_AD_t ad, int64_t* result_p,
                             gex_Rank_t tgt_rank, void* tgt_addr,
                             gex_OP_t opcode, int64_t operand1,
                             int64_t operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBII64, &gasneti_gex_AD_OpNBI_I64,
               ToDomainRank<0, 2, 7>>(ad, result_p, tgt_rank, tgt_addr, opcode,
                                      operand1, operand2, flags);
  return OpNbi(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
               flags);
}
gex_Event_t gasneti_gex_AD_OpNB_U64(gex_AD_t ad, uint64_t* result_p,
                                    gex_Rank_t tgt_rank, void* tgt_addr,
                                    gex_OP_t opcode, uint64_t operand1,
                                    uint64_t operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBU64, &gasneti_gex_AD_OpNB_U64,
               ToDomainRank<0, 2, 7>>(ad, result_p, tgt_rank, tgt_addr, opcode,
                                      operand1, operand2, flags);
  return OpNb(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
              flags);
}
int gasneti_gex_AD_OpNBI_U64(gex_AD_t ad, uint64_t* result_p,
                             gex_Rank_t tgt_rank, void* tgt_addr,
                             gex_OP_t opcode, uint64_t operand1,
                             uint64_t operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBIU64, &gasneti_gex_AD_OpNBI_U64,
               ToDomainRank<0, 2, 7>>(ad, result_p, tgt_rank, tgt_addr, opcode,
                                      operand1, operand2, flags);
  return OpNbi(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
               flags);
}
gex_Event_t gex_AD_OpNB_FLT(gex_AD_t ad, float* result_p, gex_Rank_t tgt_rank,
                            void* tgt_addr, gex_OP_t opcode, float operand1,
                            float operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBFLT, &gex_AD_OpNB_FLT, ToDomainRank<0, 2, 7>>(
        ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2, flags);
  return OpNb(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
              flags);
}
int gex_AD_OpNBI_FLT(gex_AD_t ad, float* result_p, gex_Rank_t tgt_rank,
                     void* tgt_addr, gex_OP_t opcode, float operand1,
                     float operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBIFLT, &gex_AD_OpNBI_FLT, ToDomainRank<0, 2, 7>>(
        ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2, flags);
  return OpNbi(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
               flags);
}
gex_Event_t gex_AD_OpNB_DBL(gex_AD_t ad, double* result_p, gex_Rank_t tgt_rank,
                            void* tgt_addr, gex_OP_t opcode, double operand1,
                            double operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBDBL, &gex_AD_OpNB_DBL, ToDomainRank<0, 2, 7>>(
        ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2, flags);
  return OpNb(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
              flags);
}
int gex_AD_OpNBI_DBL(gex_AD_t ad, double* result_p, gex_Rank_t tgt_rank,
                     void* tgt_addr, gex_OP_t opcode, double operand1,
                     double operand2, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexADOpNBIDBL, &gex_AD_OpNBI_DBL, ToDomainRank<0, 2, 7>>(
        ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2, flags);
  return OpNbi(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2,
               flags);
}

}  // extern "C"
