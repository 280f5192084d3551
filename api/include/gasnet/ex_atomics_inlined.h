/* GASNet-EX: the part of atomic operations that is inlined into clients. This
 * header needs no threading mode. */
#ifndef GASNET_EX_ATOMICS_INLINED_H_
#define GASNET_EX_ATOMICS_INLINED_H_

#include "gasnet/ex_team.h"

typedef struct gasneti_ad *gex_AD_t;
#define GEX_AD_INVALID GASNETI_CAST(gex_AD_t, NULL)

/* Types for the integers at targets. Accesses through these types may alias the
 * types that clients use for the same memory. */
typedef uint32_t __attribute__((__may_alias__)) gasneti_word32_t;
typedef uint64_t __attribute__((__may_alias__)) gasneti_word64_t;

/* Returns a domain's team. The team is the first member of the domain's
   object. */
GASNETI_INLINE gex_TM_t gasneti_ad_team(gex_AD_t ad) {
  return *GASNETI_BIT_CAST(const gex_TM_t *, ad);
}

/* Operations that may compile to a plain load. A plain load does not order
 * earlier stores of this thread. On some processors a failed compare-and-swap
 * is a plain load. */
#if defined(__x86_64__)
#define GASNETI_AD_LOADS GEX_OP_GET
#else
#define GASNETI_AD_LOADS (GEX_OP_GET | GEX_OP_CAS | GEX_OP_FCAS)
#endif

/* INSTRUCTIONS: the operations that compile to one instruction. FETCHING: the
   operations of INSTRUCTIONS that fetch the old value. */
#define GASNETI_AD_FETCHING                                             \
  (GEX_OP_SWAP | GEX_OP_GET | GEX_OP_FCAS | GEX_OP_FADD | GEX_OP_FSUB | \
   GEX_OP_FINC | GEX_OP_FDEC)
#define GASNETI_AD_INSTRUCTIONS                                              \
  (GASNETI_AD_FETCHING | GEX_OP_SET | GEX_OP_CAS | GEX_OP_ADD | GEX_OP_SUB | \
   GEX_OP_INC | GEX_OP_DEC | GEX_OP_AND | GEX_OP_OR | GEX_OP_XOR)

/* Define gasneti_ad_perform_32 and _64. They perform an operation that is a
 * constant and one instruction, and whose target is mapped in this process, and
 * set *performed to 1. Otherwise they only set *performed to 0. The operation
 * is sequentially consistent, and so satisfies AD_ACQ. It also satisfies
 * AD_REL, unless it is one of GASNETI_AD_LOADS. Such an operation with AD_REL
 * is not performed. */
#define GASNETI_AD_PERFORM(bits)                                               \
  GASNETI_ALWAYS_INLINE void gasneti_ad_perform_##bits(                        \
      gex_AD_t ad, uint##bits##_t *result, gex_Rank_t rank, void *target,      \
      gex_OP_t op, uint##bits##_t operand1, uint##bits##_t operand2,           \
      gex_Flags_t flags, int *performed) {                                     \
    uint##bits##_t old = operand1;                                             \
    unsigned char *local = NULL;                                               \
    gasneti_word##bits##_t *at;                                                \
    *performed =                                                               \
        !GASNETI_CALLS && __builtin_constant_p(op) &&                          \
        (op & GASNETI_AD_INSTRUCTIONS) != 0 &&                                 \
        (flags & GEX_FLAG_RANK_IS_JOBRANK) == 0 &&                             \
        ((op & GASNETI_AD_LOADS) == 0 || (flags & GEX_FLAG_AD_REL) == 0) &&    \
        gasneti_mapped_peer(gasneti_ad_team(ad), rank, target, &local);        \
    if (*performed) {                                                          \
      at =                                                                     \
          GASNETI_CAST(gasneti_word##bits##_t *, GASNETI_CAST(void *, local)); \
      switch (op) {                                                            \
        case GEX_OP_SET:                                                       \
        case GEX_OP_SWAP:                                                      \
          old = __atomic_exchange_n(at, old, __ATOMIC_SEQ_CST);                \
          break;                                                               \
        case GEX_OP_GET:                                                       \
          old = __atomic_load_n(at, __ATOMIC_SEQ_CST);                         \
          break;                                                               \
        case GEX_OP_CAS:                                                       \
        case GEX_OP_FCAS:                                                      \
          __atomic_compare_exchange_n(at, &old, operand2, 0, __ATOMIC_SEQ_CST, \
                                      __ATOMIC_SEQ_CST);                       \
          break;                                                               \
        case GEX_OP_ADD:                                                       \
        case GEX_OP_FADD:                                                      \
          old = __atomic_fetch_add(at, old, __ATOMIC_SEQ_CST);                 \
          break;                                                               \
        case GEX_OP_SUB:                                                       \
        case GEX_OP_FSUB:                                                      \
          old = __atomic_fetch_sub(at, old, __ATOMIC_SEQ_CST);                 \
          break;                                                               \
        case GEX_OP_INC:                                                       \
        case GEX_OP_FINC:                                                      \
          old = __atomic_fetch_add(at, 1, __ATOMIC_SEQ_CST);                   \
          break;                                                               \
        case GEX_OP_DEC:                                                       \
        case GEX_OP_FDEC:                                                      \
          old = __atomic_fetch_sub(at, 1, __ATOMIC_SEQ_CST);                   \
          break;                                                               \
        case GEX_OP_AND:                                                       \
          __atomic_fetch_and(at, old, __ATOMIC_SEQ_CST);                       \
          break;                                                               \
        case GEX_OP_OR:                                                        \
          __atomic_fetch_or(at, old, __ATOMIC_SEQ_CST);                        \
          break;                                                               \
        default:                                                               \
          __atomic_fetch_xor(at, old, __ATOMIC_SEQ_CST);                       \
      }                                                                        \
      if ((op & GASNETI_AD_FETCHING) != 0) *result = old;                      \
    }                                                                          \
  }
GASNETI_AD_PERFORM(32)
GASNETI_AD_PERFORM(64)
#undef GASNETI_AD_PERFORM

#endif /* GASNET_EX_ATOMICS_INLINED_H_ */
