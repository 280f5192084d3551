// Shared by tests of reductions: elements of each type, and a model of the
// operations.
#ifndef CONFORMANCE_EX_COLL_DATA_H_
#define CONFORMANCE_EX_COLL_DATA_H_

#include <stddef.h>
#include <stdint.h>

#include <algorithm>

#include "conformance/ex/ex_rma.h"

namespace conformance {

// The GEX_DT_* of a C type.
template <class T>
constexpr gex_DT_t kTypeOf = 0;
template <>
inline constexpr gex_DT_t kTypeOf<int32_t> = GEX_DT_I32;
template <>
inline constexpr gex_DT_t kTypeOf<uint32_t> = GEX_DT_U32;
template <>
inline constexpr gex_DT_t kTypeOf<int64_t> = GEX_DT_I64;
template <>
inline constexpr gex_DT_t kTypeOf<uint64_t> = GEX_DT_U64;
template <>
inline constexpr gex_DT_t kTypeOf<float> = GEX_DT_FLT;
template <>
inline constexpr gex_DT_t kTypeOf<double> = GEX_DT_DBL;

template <class T>
constexpr bool kIsInteger = T(1) / T(2) == T(0);

// Returns element `i` of a member's source. Floats are small whole numbers,
// whose sums do not depend on the order. Integers also have high bits. These
// show comparisons with a wrong width or sign.
template <class T>
T Element(gex_OP_t op, gex_Rank_t member, size_t i) {
  const uint64_t mixed =
      (member * 0x9E3779B97F4A7C15u + i * 0xBF58476D1CE4E5B9u) ^ (i >> 3);
  if (op == GEX_OP_MULT) return static_cast<T>(mixed % 3 + 1);
  if constexpr (kIsInteger<T>) {
    if (op != GEX_OP_ADD) return static_cast<T>(mixed * (2 * i + 1));
  }
  return static_cast<T>(static_cast<int>(mixed % 2001) - 1000);
}

// Combines two elements of 4 or 8 bytes, without overflow of signed integers.
template <class T>
T Combine(gex_OP_t op, T left, T right) {
  switch (op) {
    case GEX_OP_ADD:
      return static_cast<T>(left + right);
    case GEX_OP_MULT:
      return static_cast<T>(left * right);
    case GEX_OP_MIN:
      return std::min(left, right);
    case GEX_OP_MAX:
      return std::max(left, right);
    default:
      break;
  }
  if constexpr (kIsInteger<T>) {
    if (op == GEX_OP_AND) return left & right;
    if (op == GEX_OP_OR) return left | right;
    if (op == GEX_OP_XOR) return left ^ right;
  }
  FailCheck("an operation of the type", __FILE__, __LINE__);
  return left;
}

template <class T>
T Reduced(gex_OP_t op, gex_Rank_t members, size_t i) {
  T result = Element<T>(op, 0, i);
  for (gex_Rank_t member = 1; member < members; ++member) {
    result = Combine<T>(op, result, Element<T>(op, member, i));
  }
  return result;
}

// Reduction operations to test with each type.
constexpr gex_OP_t kOperations[] = {GEX_OP_ADD, GEX_OP_MULT, GEX_OP_MIN,
                                    GEX_OP_MAX, GEX_OP_AND,  GEX_OP_OR,
                                    GEX_OP_XOR};
template <class T>
constexpr int kOperationCount = kIsInteger<T> ? 7 : 4;

}  // namespace conformance

#endif  // CONFORMANCE_EX_COLL_DATA_H_
