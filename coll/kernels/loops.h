// The kernels' loops, compiled once for each instruction set.
//
// Sources that are compiled for different processors include this file. So
// neither this file nor anything that it uses may have external linkage.
// Otherwise the linker would use one of the copies for all processors. The
// compiler vectorises these simple loops only with -O3.
#ifndef COLL_KERNELS_LOOPS_H_
#define COLL_KERNELS_LOOPS_H_

#include "coll/kernels/kernels.h"

namespace gasnet::coll::internal {
namespace {

// The type in which values of type T are computed. An integer type becomes
// an unsigned type, so that arithmetic wraps. The type is wide enough that it
// is never promoted to a signed type. Floating-point types are computed as
// themselves.
template <class T>
struct Wrapping {
  using Type = unsigned long long;  // NOLINT: of every width
};
template <>
struct Wrapping<float> {
  using Type = float;
};
template <>
struct Wrapping<double> {
  using Type = double;
};

template <class T, Op op>
[[gnu::always_inline]] inline T Apply(T x, T y) {
  using Wide = typename Wrapping<T>::Type;
  if constexpr (op == Op::kSum) {
    return static_cast<T>(static_cast<Wide>(x) + static_cast<Wide>(y));
  } else if constexpr (op == Op::kProduct) {
    return static_cast<T>(static_cast<Wide>(x) * static_cast<Wide>(y));
  } else if constexpr (op == Op::kMin) {
    return x < y ? x : y;
  } else if constexpr (op == Op::kMax) {
    return x > y ? x : y;
  } else if constexpr (op == Op::kAnd) {
    return static_cast<T>(x & y);
  } else if constexpr (op == Op::kOr) {
    return static_cast<T>(x | y);
  } else if constexpr (op == Op::kXor) {
    return static_cast<T>(x ^ y);
  } else if constexpr (op == Op::kLogicalAnd) {
    return static_cast<T>(static_cast<int>(x != 0) & static_cast<int>(y != 0));
  } else {
    return static_cast<T>(static_cast<int>(x != 0) | static_cast<int>(y != 0));
  }
}

// Tells the compiler that iterations do not depend on each other. The compiler
// cannot know this, because the result may be one of the sources.
#ifdef __clang__
#define GASNET_COLL_EACH _Pragma("clang loop vectorize(assume_safety)")
#else
#define GASNET_COLL_EACH _Pragma("GCC ivdep")
#endif

template <class T, Op op>
void OfTwo(void* result, const void* const* sources, size_t elements) {
  T* const to = static_cast<T*>(result);
  const T* const a = static_cast<const T*>(sources[0]);
  const T* const b = static_cast<const T*>(sources[1]);
  GASNET_COLL_EACH
  for (size_t i = 0; i < elements; ++i) to[i] = Apply<T, op>(a[i], b[i]);
}

template <class T, Op op>
void OfFour(void* result, const void* const* sources, size_t elements) {
  T* const to = static_cast<T*>(result);
  const T* const a = static_cast<const T*>(sources[0]);
  const T* const b = static_cast<const T*>(sources[1]);
  const T* const c = static_cast<const T*>(sources[2]);
  const T* const d = static_cast<const T*>(sources[3]);
  GASNET_COLL_EACH
  for (size_t i = 0; i < elements; ++i) {
    to[i] = Apply<T, op>(Apply<T, op>(a[i], b[i]), Apply<T, op>(c[i], d[i]));
  }
}

template <class T, Op op>
void OfEight(void* result, const void* const* sources, size_t elements) {
  T* const to = static_cast<T*>(result);
  const T* const a = static_cast<const T*>(sources[0]);
  const T* const b = static_cast<const T*>(sources[1]);
  const T* const c = static_cast<const T*>(sources[2]);
  const T* const d = static_cast<const T*>(sources[3]);
  const T* const e = static_cast<const T*>(sources[4]);
  const T* const f = static_cast<const T*>(sources[5]);
  const T* const g = static_cast<const T*>(sources[6]);
  const T* const h = static_cast<const T*>(sources[7]);
  GASNET_COLL_EACH
  for (size_t i = 0; i < elements; ++i) {
    const T left = Apply<T, op>(Apply<T, op>(a[i], b[i]),  //
                                Apply<T, op>(c[i], d[i]));
    const T right =
        Apply<T, op>(Apply<T, op>(e[i], f[i]), Apply<T, op>(g[i], h[i]));
    to[i] = Apply<T, op>(left, right);
  }
}

#undef GASNET_COLL_EACH

template <class T, Op op>
constexpr Kernels Of() {
  return {OfTwo<T, op>, OfFour<T, op>, OfEight<T, op>};
}

// Sets the operations that every type has: all operations except the bitwise
// ones.
template <class T>
constexpr void SetNumbers(Kernels* of) {
  of[static_cast<size_t>(Op::kSum)] = Of<T, Op::kSum>();
  of[static_cast<size_t>(Op::kProduct)] = Of<T, Op::kProduct>();
  of[static_cast<size_t>(Op::kMin)] = Of<T, Op::kMin>();
  of[static_cast<size_t>(Op::kMax)] = Of<T, Op::kMax>();
  of[static_cast<size_t>(Op::kLogicalAnd)] = Of<T, Op::kLogicalAnd>();
  of[static_cast<size_t>(Op::kLogicalOr)] = Of<T, Op::kLogicalOr>();
}
template <class T>
constexpr void SetAll(Kernels* of) {
  SetNumbers<T>(of);
  of[static_cast<size_t>(Op::kAnd)] = Of<T, Op::kAnd>();
  of[static_cast<size_t>(Op::kOr)] = Of<T, Op::kOr>();
  of[static_cast<size_t>(Op::kXor)] = Of<T, Op::kXor>();
}

constexpr KernelTable MakeTable() {
  KernelTable table;
  SetAll<int8_t>(table.of[static_cast<size_t>(Type::kInt8)]);
  SetAll<uint8_t>(table.of[static_cast<size_t>(Type::kUint8)]);
  SetAll<int16_t>(table.of[static_cast<size_t>(Type::kInt16)]);
  SetAll<uint16_t>(table.of[static_cast<size_t>(Type::kUint16)]);
  SetAll<int32_t>(table.of[static_cast<size_t>(Type::kInt32)]);
  SetAll<uint32_t>(table.of[static_cast<size_t>(Type::kUint32)]);
  SetAll<int64_t>(table.of[static_cast<size_t>(Type::kInt64)]);
  SetAll<uint64_t>(table.of[static_cast<size_t>(Type::kUint64)]);
  SetNumbers<float>(table.of[static_cast<size_t>(Type::kFloat)]);
  SetNumbers<double>(table.of[static_cast<size_t>(Type::kDouble)]);
  return table;
}

constexpr KernelTable kTable = MakeTable();

}  // namespace
}  // namespace gasnet::coll::internal

#endif  // COLL_KERNELS_LOOPS_H_
