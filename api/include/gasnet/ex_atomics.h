/* GASNet-EX: atomic operations on remote memory. This header needs no threading
 * mode.
 *
 * A domain ties a team, a data type and a set of operations. Operations of one
 * domain are atomic with respect to each other, whichever ranks and threads
 * perform them. From the first to the last of these operations the memory must
 * be accessed in no other way, not even by the process that owns the memory.
 * Before the memory is accessed in another way, all operations must be synced
 * and a barrier passed. Targets lie in the segments of the team's members,
 * aligned for the type. */
#ifndef GASNET_EX_ATOMICS_H_
#define GASNET_EX_ATOMICS_H_

#include "gasnet/ex_atomics_inlined.h"

GASNETI_EXTERN_C_BEGIN

/* Makes a domain. The call is collective over tm. tm must be a team and not a
 * pair. All members give the same dt, ops and flags. dt is not GEX_DT_USER. ops
 * is an OR of operations that are defined for dt. flags: 0 or one
 * GEX_FLAG_AD_FAVOR_*. Legal in main-line code only. */
void gex_AD_Create(gex_AD_t *ad_p, gex_TM_t tm, gex_DT_t dt, gex_OP_t ops,
                   gex_Flags_t flags);

/* Ends a domain. The call is collective over the domain's team. All
 * operations of the domain must be complete on all members. Legal in
 * main-line code only. */
void gex_AD_Destroy(gex_AD_t ad);

/* Return the arguments that a domain was made with. Legal anywhere. */
gex_Flags_t gex_AD_QueryFlags(gex_AD_t ad);
gex_TM_t gex_AD_QueryTM(gex_AD_t ad);
gex_DT_t gex_AD_QueryDT(gex_AD_t ad);
gex_OP_t gex_AD_QueryOps(gex_AD_t ad);

/* Set and return the client's data of a domain, initially NULL. Legal
 * anywhere. */
void gex_AD_SetCData(gex_AD_t ad, const void *val);
void *gex_AD_QueryCData(gex_AD_t ad);

/* Performs opcode at tgt_addr of tgt_rank. opcode is an operation of the
 * domain, tgt_rank a rank of the domain's team. Legal in main-line code only.
 * - result_p: where a fetching operation stores the old value: local memory,
 *   valid until the sync, and not a target. Other operations ignore result_p.
 * - operand1, operand2: ignored if the operation has fewer operands.
 * - flags: GEX_FLAG_IMMEDIATE; GEX_FLAG_RANK_IS_JOBRANK if tgt_rank is a
 *   jobrank; GEX_FLAG_AD_REL to order the operation after the thread's earlier
 *   accesses; GEX_FLAG_AD_ACQ to order it before accesses that follow the sync;
 *   GEX_FLAG_AD_MY_RANK or _MY_NBRHD.
 *
 * OpNB returns an event. OpNBI returns 0 and is synced with GEX_EC_PUT (SET),
 * GEX_EC_GET (GET) or GEX_EC_RMW (all others). With GEX_FLAG_IMMEDIATE OpNB may
 * return GEX_EVENT_NO_OP and OpNBI nonzero; then the call has done nothing.
 *
 * An operation is inlined if opcode is a constant, the processor has one
 * instruction for it, and the target is an integer that is mapped in this
 * process. */
gex_Event_t gasneti_gex_AD_OpNB_I32(gex_AD_t ad, int32_t *result_p,
                                    gex_Rank_t tgt_rank, void *tgt_addr,
                                    gex_OP_t opcode, int32_t operand1,
                                    int32_t operand2, gex_Flags_t flags);
GASNETI_MUST_USE GASNETI_ALWAYS_INLINE gex_Event_t gex_AD_OpNB_I32(
    gex_AD_t ad, int32_t *result_p, gex_Rank_t tgt_rank, void *tgt_addr,
    gex_OP_t opcode, int32_t operand1, int32_t operand2, gex_Flags_t flags) {
  int performed;
  gasneti_ad_perform_32(ad, GASNETI_BIT_CAST(uint32_t *, result_p), tgt_rank,
                        tgt_addr, opcode, GASNETI_CAST(uint32_t, operand1),
                        GASNETI_CAST(uint32_t, operand2), flags, &performed);
  return performed ? GEX_EVENT_INVALID
                   : gasneti_gex_AD_OpNB_I32(ad, result_p, tgt_rank, tgt_addr,
                                             opcode, operand1, operand2, flags);
}
int gasneti_gex_AD_OpNBI_I32(gex_AD_t ad, int32_t *result_p,
                             gex_Rank_t tgt_rank, void *tgt_addr,
                             gex_OP_t opcode, int32_t operand1,
                             int32_t operand2, gex_Flags_t flags);
GASNETI_ALWAYS_INLINE int gex_AD_OpNBI_I32(gex_AD_t ad, int32_t *result_p,
                                           gex_Rank_t tgt_rank, void *tgt_addr,
                                           gex_OP_t opcode, int32_t operand1,
                                           int32_t operand2,
                                           gex_Flags_t flags) {
  int performed;
  gasneti_ad_perform_32(ad, GASNETI_BIT_CAST(uint32_t *, result_p), tgt_rank,
                        tgt_addr, opcode, GASNETI_CAST(uint32_t, operand1),
                        GASNETI_CAST(uint32_t, operand2), flags, &performed);
  return performed
             ? 0
             : gasneti_gex_AD_OpNBI_I32(ad, result_p, tgt_rank, tgt_addr,
                                        opcode, operand1, operand2, flags);
}
gex_Event_t gasneti_gex_AD_OpNB_U32(gex_AD_t ad, uint32_t *result_p,
                                    gex_Rank_t tgt_rank, void *tgt_addr,
                                    gex_OP_t opcode, uint32_t operand1,
                                    uint32_t operand2, gex_Flags_t flags);
GASNETI_MUST_USE GASNETI_ALWAYS_INLINE gex_Event_t gex_AD_OpNB_U32(
    gex_AD_t ad, uint32_t *result_p, gex_Rank_t tgt_rank, void *tgt_addr,
    gex_OP_t opcode, uint32_t operand1, uint32_t operand2, gex_Flags_t flags) {
  int performed;
  gasneti_ad_perform_32(ad, result_p, tgt_rank, tgt_addr, opcode, operand1,
                        operand2, flags, &performed);
  return performed ? GEX_EVENT_INVALID
                   : gasneti_gex_AD_OpNB_U32(ad, result_p, tgt_rank, tgt_addr,
                                             opcode, operand1, operand2, flags);
}
int gasneti_gex_AD_OpNBI_U32(gex_AD_t ad, uint32_t *result_p,
                             gex_Rank_t tgt_rank, void *tgt_addr,
                             gex_OP_t opcode, uint32_t operand1,
                             uint32_t operand2, gex_Flags_t flags);
GASNETI_ALWAYS_INLINE int gex_AD_OpNBI_U32(gex_AD_t ad, uint32_t *result_p,
                                           gex_Rank_t tgt_rank, void *tgt_addr,
                                           gex_OP_t opcode, uint32_t operand1,
                                           uint32_t operand2,
                                           gex_Flags_t flags) {
  int performed;
  gasneti_ad_perform_32(ad, result_p, tgt_rank, tgt_addr, opcode, operand1,
                        operand2, flags, &performed);
  return performed
             ? 0
             : gasneti_gex_AD_OpNBI_U32(ad, result_p, tgt_rank, tgt_addr,
                                        opcode, operand1, operand2, flags);
}
gex_Event_t gasneti_gex_AD_OpNB_I64(gex_AD_t ad, int64_t *result_p,
                                    gex_Rank_t tgt_rank, void *tgt_addr,
                                    gex_OP_t opcode, int64_t operand1,
                                    int64_t operand2, gex_Flags_t flags);
GASNETI_MUST_USE GASNETI_ALWAYS_INLINE gex_Event_t gex_AD_OpNB_I64(
    gex_AD_t ad, int64_t *result_p, gex_Rank_t tgt_rank, void *tgt_addr,
    gex_OP_t opcode, int64_t operand1, int64_t operand2, gex_Flags_t flags) {
  int performed;
  gasneti_ad_perform_64(ad, GASNETI_BIT_CAST(uint64_t *, result_p), tgt_rank,
                        tgt_addr, opcode, GASNETI_CAST(uint64_t, operand1),
                        GASNETI_CAST(uint64_t, operand2), flags, &performed);
  return performed ? GEX_EVENT_INVALID
                   : gasneti_gex_AD_OpNB_I64(ad, result_p, tgt_rank, tgt_addr,
                                             opcode, operand1, operand2, flags);
}
int gasneti_gex_AD_OpNBI_I64(gex_AD_t ad, int64_t *result_p,
                             gex_Rank_t tgt_rank, void *tgt_addr,
                             gex_OP_t opcode, int64_t operand1,
                             int64_t operand2, gex_Flags_t flags);
GASNETI_ALWAYS_INLINE int gex_AD_OpNBI_I64(gex_AD_t ad, int64_t *result_p,
                                           gex_Rank_t tgt_rank, void *tgt_addr,
                                           gex_OP_t opcode, int64_t operand1,
                                           int64_t operand2,
                                           gex_Flags_t flags) {
  int performed;
  gasneti_ad_perform_64(ad, GASNETI_BIT_CAST(uint64_t *, result_p), tgt_rank,
                        tgt_addr, opcode, GASNETI_CAST(uint64_t, operand1),
                        GASNETI_CAST(uint64_t, operand2), flags, &performed);
  return performed
             ? 0
             : gasneti_gex_AD_OpNBI_I64(ad, result_p, tgt_rank, tgt_addr,
                                        opcode, operand1, operand2, flags);
}
gex_Event_t gasneti_gex_AD_OpNB_U64(gex_AD_t ad, uint64_t *result_p,
                                    gex_Rank_t tgt_rank, void *tgt_addr,
                                    gex_OP_t opcode, uint64_t operand1,
                                    uint64_t operand2, gex_Flags_t flags);
GASNETI_MUST_USE GASNETI_ALWAYS_INLINE gex_Event_t gex_AD_OpNB_U64(
    gex_AD_t ad, uint64_t *result_p, gex_Rank_t tgt_rank, void *tgt_addr,
    gex_OP_t opcode, uint64_t operand1, uint64_t operand2, gex_Flags_t flags) {
  int performed;
  gasneti_ad_perform_64(ad, result_p, tgt_rank, tgt_addr, opcode, operand1,
                        operand2, flags, &performed);
  return performed ? GEX_EVENT_INVALID
                   : gasneti_gex_AD_OpNB_U64(ad, result_p, tgt_rank, tgt_addr,
                                             opcode, operand1, operand2, flags);
}
int gasneti_gex_AD_OpNBI_U64(gex_AD_t ad, uint64_t *result_p,
                             gex_Rank_t tgt_rank, void *tgt_addr,
                             gex_OP_t opcode, uint64_t operand1,
                             uint64_t operand2, gex_Flags_t flags);
GASNETI_ALWAYS_INLINE int gex_AD_OpNBI_U64(gex_AD_t ad, uint64_t *result_p,
                                           gex_Rank_t tgt_rank, void *tgt_addr,
                                           gex_OP_t opcode, uint64_t operand1,
                                           uint64_t operand2,
                                           gex_Flags_t flags) {
  int performed;
  gasneti_ad_perform_64(ad, result_p, tgt_rank, tgt_addr, opcode, operand1,
                        operand2, flags, &performed);
  return performed
             ? 0
             : gasneti_gex_AD_OpNBI_U64(ad, result_p, tgt_rank, tgt_addr,
                                        opcode, operand1, operand2, flags);
}
gex_Event_t gex_AD_OpNB_FLT(gex_AD_t ad, float *result_p, gex_Rank_t tgt_rank,
                            void *tgt_addr, gex_OP_t opcode, float operand1,
                            float operand2, gex_Flags_t flags) GASNETI_MUST_USE;
int gex_AD_OpNBI_FLT(gex_AD_t ad, float *result_p, gex_Rank_t tgt_rank,
                     void *tgt_addr, gex_OP_t opcode, float operand1,
                     float operand2, gex_Flags_t flags);
gex_Event_t gex_AD_OpNB_DBL(gex_AD_t ad, double *result_p, gex_Rank_t tgt_rank,
                            void *tgt_addr, gex_OP_t opcode, double operand1,
                            double operand2,
                            gex_Flags_t flags) GASNETI_MUST_USE;
int gex_AD_OpNBI_DBL(gex_AD_t ad, double *result_p, gex_Rank_t tgt_rank,
                     void *tgt_addr, gex_OP_t opcode, double operand1,
                     double operand2, gex_Flags_t flags);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_ATOMICS_H_ */
