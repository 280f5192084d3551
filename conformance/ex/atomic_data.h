// Shared by tests of atomics: the calls by C type, and a model of the
// operations.
#ifndef CONFORMANCE_EX_ATOMIC_DATA_H_
#define CONFORMANCE_EX_ATOMIC_DATA_H_

#include <gasnet_ratomic.h>
#include <stdint.h>

#include "conformance/ex/coll_data.h"

namespace conformance {

// Call gex_AD_OpNB_* and gex_AD_OpNBI_* for the C type of the arguments.
inline gex_Event_t AtomicNb(gex_AD_t ad, int32_t* result, gex_Rank_t rank,
                            void* at, gex_OP_t op, int32_t first,
                            int32_t second, gex_Flags_t flags) {
  return gex_AD_OpNB_I32(ad, result, rank, at, op, first, second, flags);
}
inline int AtomicNbi(gex_AD_t ad, int32_t* result, gex_Rank_t rank, void* at,
                     gex_OP_t op, int32_t first, int32_t second,
                     gex_Flags_t flags) {
  return gex_AD_OpNBI_I32(ad, result, rank, at, op, first, second, flags);
}
inline gex_Event_t AtomicNb(gex_AD_t ad, uint32_t* result, gex_Rank_t rank,
                            void* at, gex_OP_t op, uint32_t first,
                            uint32_t second, gex_Flags_t flags) {
  return gex_AD_OpNB_U32(ad, result, rank, at, op, first, second, flags);
}
inline int AtomicNbi(gex_AD_t ad, uint32_t* result, gex_Rank_t rank, void* at,
                     gex_OP_t op, uint32_t first, uint32_t second,
                     gex_Flags_t flags) {
  return gex_AD_OpNBI_U32(ad, result, rank, at, op, first, second, flags);
}
inline gex_Event_t AtomicNb(gex_AD_t ad, int64_t* result, gex_Rank_t rank,
                            void* at, gex_OP_t op, int64_t first,
                            int64_t second, gex_Flags_t flags) {
  return gex_AD_OpNB_I64(ad, result, rank, at, op, first, second, flags);
}
inline int AtomicNbi(gex_AD_t ad, int64_t* result, gex_Rank_t rank, void* at,
                     gex_OP_t op, int64_t first, int64_t second,
                     gex_Flags_t flags) {
  return gex_AD_OpNBI_I64(ad, result, rank, at, op, first, second, flags);
}
inline gex_Event_t AtomicNb(gex_AD_t ad, uint64_t* result, gex_Rank_t rank,
                            void* at, gex_OP_t op, uint64_t first,
                            uint64_t second, gex_Flags_t flags) {
  return gex_AD_OpNB_U64(ad, result, rank, at, op, first, second, flags);
}
inline int AtomicNbi(gex_AD_t ad, uint64_t* result, gex_Rank_t rank, void* at,
                     gex_OP_t op, uint64_t first, uint64_t second,
                     gex_Flags_t flags) {
  return gex_AD_OpNBI_U64(ad, result, rank, at, op, first, second, flags);
}
inline gex_Event_t AtomicNb(gex_AD_t ad, float* result, gex_Rank_t rank,
                            void* at, gex_OP_t op, float first, float second,
                            gex_Flags_t flags) {
  return gex_AD_OpNB_FLT(ad, result, rank, at, op, first, second, flags);
}
inline int AtomicNbi(gex_AD_t ad, float* result, gex_Rank_t rank, void* at,
                     gex_OP_t op, float first, float second,
                     gex_Flags_t flags) {
  return gex_AD_OpNBI_FLT(ad, result, rank, at, op, first, second, flags);
}
inline gex_Event_t AtomicNb(gex_AD_t ad, double* result, gex_Rank_t rank,
                            void* at, gex_OP_t op, double first, double second,
                            gex_Flags_t flags) {
  return gex_AD_OpNB_DBL(ad, result, rank, at, op, first, second, flags);
}
inline int AtomicNbi(gex_AD_t ad, double* result, gex_Rank_t rank, void* at,
                     gex_OP_t op, double first, double second,
                     gex_Flags_t flags) {
  return gex_AD_OpNBI_DBL(ad, result, rank, at, op, first, second, flags);
}

// The operations without a result. Floating-point types lack the last three.
constexpr gex_OP_t kAtomicOperations[] = {
    GEX_OP_ADD, GEX_OP_SUB, GEX_OP_MULT, GEX_OP_MIN, GEX_OP_MAX, GEX_OP_INC,
    GEX_OP_DEC, GEX_OP_SET, GEX_OP_CAS,  GEX_OP_AND, GEX_OP_OR,  GEX_OP_XOR};
template <class T>
constexpr int kAtomicOperationCount = kIsInteger<T> ? 12 : 9;

// Returns all operations of a type, including GET and the fetching ones.
template <class T>
gex_OP_t AllOperations() {
  gex_OP_t all = GEX_OP_GET;
  for (int i = 0; i < kAtomicOperationCount<T>; ++i) {
    all |= kAtomicOperations[i] | GEX_OP_TO_FETCHING(kAtomicOperations[i]);
  }
  return all;
}

// Returns the new value at the target after an operation on the value `old`.
template <class T>
T Applied(gex_OP_t op, T old, T first, T second) {
  switch (op) {
    case GEX_OP_SUB:
      return static_cast<T>(old - first);
    case GEX_OP_INC:
      return static_cast<T>(old + 1);
    case GEX_OP_DEC:
      return static_cast<T>(old - 1);
    case GEX_OP_SET:
      return first;
    case GEX_OP_CAS:
      return old == first ? second : old;
    default:
      return Combine<T>(op, old, first);
  }
}

inline bool IsFetching(gex_OP_t op) {
  return op == GEX_OP_GET || GEX_OP_TO_NONFETCHING(op) != 0;
}

// Returns one of six test values. Some are negative, and some have high bits
// set. Such values show errors in the sign or the width.
template <class T>
T Value(int which) {
  switch (which % 6) {
    case 0:
      return static_cast<T>(0);
    case 1:
      return static_cast<T>(-5);
    case 2:
      return static_cast<T>(7);
    case 3:
      return static_cast<T>(1000000);
    default:
      break;
  }
  if constexpr (kIsInteger<T>) {
    if (which % 6 == 4) return static_cast<T>(T(3) << (sizeof(T) * 8 - 3));
    return static_cast<T>(T(5) << (sizeof(T) * 8 - 4)) | T(1);
  }
  return which % 6 == 4 ? static_cast<T>(0.5) : static_cast<T>(-1024.25);
}

// Returns false if the result is undefined in C because it overflows.
template <class T>
bool IsDefined(gex_OP_t op, T left, T right) {
  if constexpr (kIsInteger<T> && T(-1) < T(0)) {
    T result;
    if (op == GEX_OP_MULT) return !__builtin_mul_overflow(left, right, &result);
    if (op == GEX_OP_ADD) return !__builtin_add_overflow(left, right, &result);
    if (op == GEX_OP_SUB) return !__builtin_sub_overflow(left, right, &result);
    if (op == GEX_OP_INC) return !__builtin_add_overflow(left, 1, &result);
    if (op == GEX_OP_DEC) return !__builtin_sub_overflow(left, 1, &result);
  }
  return true;
}

}  // namespace conformance

#endif  // CONFORMANCE_EX_ATOMIC_DATA_H_
