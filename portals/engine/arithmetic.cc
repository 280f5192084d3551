#include "portals/engine/arithmetic.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <complex>
#include <cstring>
#include <type_traits>

#include "portals4.h"

namespace gasnet::portals4 {
namespace {

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

template <class T>
inline constexpr bool kOrdered = !IsComplex<T>::value;
template <class T>
inline constexpr bool kInteger = std::is_integral_v<T>;

// Calls `call` with a value of the C++ type for `datatype`. Returns false for
// an unknown type.
template <class Call>
bool WithType(uint32_t datatype, Call call) {
  switch (datatype) {
    case PTL_INT8_T:
      return call(int8_t{});
    case PTL_UINT8_T:
      return call(uint8_t{});
    case PTL_INT16_T:
      return call(int16_t{});
    case PTL_UINT16_T:
      return call(uint16_t{});
    case PTL_INT32_T:
      return call(int32_t{});
    case PTL_UINT32_T:
      return call(uint32_t{});
    case PTL_FLOAT:
      return call(float{});
    case PTL_INT64_T:
      return call(int64_t{});
    case PTL_UINT64_T:
      return call(uint64_t{});
    case PTL_DOUBLE:
      return call(double{});
    case PTL_FLOAT_COMPLEX:
      return call(std::complex<float>{});
    case PTL_DOUBLE_COMPLEX:
      return call(std::complex<double>{});
    case PTL_LONG_DOUBLE:
      return call(static_cast<long double>(0));
    case PTL_LONG_DOUBLE_COMPLEX:
      return call(std::complex<long double>{});
    default:
      return false;
  }
}

// Integers become unsigned, so that an overflow wraps around.
template <class T>
using Wide = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;

template <class T>
T Sum(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
}
template <class T>
T Product(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}

template <class T>
T Ordered(uint32_t operation, T target, T source) {
  switch (operation) {
    case PTL_MIN:
      return std::min(target, source);
    case PTL_MAX:
      return std::max(target, source);
    case PTL_LOR:
      return static_cast<T>(target != T{} || source != T{});
    case PTL_LAND:
      return static_cast<T>(target != T{} && source != T{});
    case PTL_LXOR:
      return static_cast<T>((target != T{}) != (source != T{}));
    default:
      return target;
  }
}

template <class T>
T Bits(uint32_t operation, T target, T source) {
  switch (operation) {
    case PTL_BOR:
      return static_cast<T>(target | source);
    case PTL_BAND:
      return static_cast<T>(target & source);
    case PTL_BXOR:
      return static_cast<T>(target ^ source);
    default:
      return target;
  }
}

// Returns true if a conditional swap happens. The type must support
// `operation`: only ordered types have LE, LT and the like.
template <class T>
bool Compares(uint32_t operation, T operand, T target) {
  if (operation == PTL_CSWAP) return operand == target;
  if (operation == PTL_CSWAP_NE) return operand != target;
  if constexpr (kOrdered<T>) {
    switch (operation) {
      case PTL_CSWAP_LE:
        return operand <= target;
      case PTL_CSWAP_LT:
        return operand < target;
      case PTL_CSWAP_GE:
        return operand >= target;
      case PTL_CSWAP_GT:
        return operand > target;
      default:
        break;
    }
  }
  return false;
}

template <class T>
T Result(uint32_t operation, T target, T source, T operand) {
  switch (operation) {
    case PTL_SUM:
      return Sum(target, source);
    case PTL_PROD:
      return Product(target, source);
    case PTL_SWAP:
      return source;
    default:
      break;
  }
  if constexpr (kInteger<T>) {
    if (operation == PTL_MSWAP) {
      return static_cast<T>((source & operand) | (target & ~operand));
    }
  }
  if (operation >= PTL_CSWAP) {
    return Compares(operation, operand, target) ? source : target;
  }
  if constexpr (kInteger<T>) {
    if (operation == PTL_BOR || operation == PTL_BAND ||
        operation == PTL_BXOR) {
      return Bits(operation, target, source);
    }
  }
  if constexpr (kOrdered<T>) return Ordered(operation, target, source);
  return target;
}

template <class T>
T Load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// The processor's word of this size, or void if it has none.
template <size_t size>
using WordOf = std::conditional_t<
    size == 1, uint8_t,
    std::conditional_t<
        size == 2, uint16_t,
        std::conditional_t<size == 4, uint32_t,
                           std::conditional_t<size == 8, uint64_t, void>>>>;

// Combines one item with `source`. Returns the previous item.
template <class T>
T CombineItem(uint32_t operation, std::byte* at, T source, T operand) {
  using Word = WordOf<sizeof(T)>;
  if constexpr (!std::is_void_v<Word>) {
    if (reinterpret_cast<uintptr_t>(at) % sizeof(T) == 0) [[likely]] {
      const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(at));
      // The first load may be relaxed, since only the exchange must order
      // memory.
      Word old = word.load(std::memory_order_relaxed);
      while (!word.compare_exchange_weak(
          old,
          std::bit_cast<Word>(
              Result(operation, std::bit_cast<T>(old), source, operand)),
          std::memory_order_seq_cst, std::memory_order_relaxed)) {
      }
      return std::bit_cast<T>(old);
    }
  }
  const T old = Load<T>(at);
  const T result = Result(operation, old, source, operand);
  std::memcpy(at, &result, sizeof result);
  return old;
}

bool IsIntegerType(uint32_t datatype) {
  return WithType(datatype, [](auto zero) { return kInteger<decltype(zero)>; });
}
bool IsOrderedType(uint32_t datatype) {
  return WithType(datatype, [](auto zero) { return kOrdered<decltype(zero)>; });
}

}  // namespace

size_t SizeOfType(uint32_t datatype) {
  size_t size = 0;
  WithType(datatype, [&](auto zero) {
    size = sizeof zero;
    return true;
  });
  return size;
}

bool IsAtomicFor(uint32_t operation, uint32_t datatype) {
  if (SizeOfType(datatype) == 0) return false;
  switch (operation) {
    case PTL_SUM:
    case PTL_PROD:
      return true;
    case PTL_MIN:
    case PTL_MAX:
    case PTL_LOR:
    case PTL_LAND:
    case PTL_LXOR:
      return IsOrderedType(datatype);
    case PTL_BOR:
    case PTL_BAND:
    case PTL_BXOR:
      return IsIntegerType(datatype);
    default:
      return false;
  }
}

bool IsSwapFor(uint32_t operation, uint32_t datatype, bool& needs_operand) {
  if (SizeOfType(datatype) == 0) return false;
  needs_operand = operation != PTL_SWAP;
  switch (operation) {
    case PTL_SWAP:
    case PTL_CSWAP:
    case PTL_CSWAP_NE:
      return true;
    case PTL_CSWAP_LE:
    case PTL_CSWAP_LT:
    case PTL_CSWAP_GE:
    case PTL_CSWAP_GT:
      return IsOrderedType(datatype);
    case PTL_MSWAP:
      return IsIntegerType(datatype);
    default:
      return false;
  }
}

void Combine(uint32_t operation, uint32_t datatype, std::byte* target,
             const std::byte* source, size_t bytes, const void* operand,
             std::byte* old) {
  WithType(datatype, [&](auto zero) {
    using T = decltype(zero);
    const T given = operand != nullptr ? Load<T>(operand) : T{};
    for (size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
      const T before =
          CombineItem(operation, target + at, Load<T>(source + at), given);
      if (old != nullptr) std::memcpy(old + at, &before, sizeof before);
    }
    return true;
  });
}

}  // namespace gasnet::portals4
