// Performs one operation of GASNet-EX on one word of this process's memory,
// with an atomic instruction of the processor and sequentially consistent
// order. So several processes that map the word, and handlers, may mix their
// operations on it.
//
// Integers wrap. CAS compares bits. MULT, MIN, MAX and all floating-point
// arithmetic are loops around a compare-and-swap, since the processor has no
// instruction for them.
#ifndef EX_ATOMIC_APPLY_H_
#define EX_ATOMIC_APPLY_H_

#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "gasnet_fwd.h"

namespace gasnet::ex {

inline constexpr gex_OP_t kAtomicOps = GEX_OP_GET * 2 - 1;
inline constexpr gex_OP_t kBitwiseOps = GEX_OP_AND | GEX_OP_OR | GEX_OP_XOR |
                                        GEX_OP_FAND | GEX_OP_FOR | GEX_OP_FXOR;
inline constexpr gex_OP_t kFetchingOps =
    GEX_OP_TO_FETCHING(0xfffu) | GEX_OP_GET;

// Returns the operations that are defined for a type; 0 if atomics do not
// support the type.
constexpr gex_OP_t OpsOf(gex_DT_t type) {
  switch (type) {
    case GEX_DT_I32:
    case GEX_DT_U32:
    case GEX_DT_I64:
    case GEX_DT_U64:
      return kAtomicOps;
    case GEX_DT_FLT:
    case GEX_DT_DBL:
      return kAtomicOps & ~kBitwiseOps;
    default:
      return 0;
  }
}

template <class T>
constexpr gex_DT_t TypeOf() {
  if constexpr (std::is_same_v<T, int32_t>) return GEX_DT_I32;
  if constexpr (std::is_same_v<T, uint32_t>) return GEX_DT_U32;
  if constexpr (std::is_same_v<T, int64_t>) return GEX_DT_I64;
  if constexpr (std::is_same_v<T, uint64_t>) return GEX_DT_U64;
  if constexpr (std::is_same_v<T, float>) return GEX_DT_FLT;
  if constexpr (std::is_same_v<T, double>) return GEX_DT_DBL;
  return 0;
}

// An unsigned integer type that holds the bits of a T.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

namespace internal {

// The target of an operation, as an atomic word.
template <class T>
class Word {
 public:
  using Bits = BitsOf<T>;
  static constexpr bool kIsInteger = std::is_integral_v<T>;

  explicit Word(void* target) : bits_(*static_cast<Bits*>(target)) {}

  T Get() const { return std::bit_cast<T>(bits_.load(kOrder)); }
  T Set(T value) const {
    return std::bit_cast<T>(bits_.exchange(std::bit_cast<Bits>(value), kOrder));
  }
  T CompareAndSwap(T expected, T desired) const {
    auto old = std::bit_cast<Bits>(expected);
    bits_.compare_exchange_strong(old, std::bit_cast<Bits>(desired), kOrder);
    return std::bit_cast<T>(old);
  }
  T Add(T value) const {
    if constexpr (kIsInteger) {
      return static_cast<T>(bits_.fetch_add(static_cast<Bits>(value), kOrder));
    } else {
      return Change([value](T old) { return old + value; });
    }
  }
  T Subtract(T value) const {
    if constexpr (kIsInteger) {
      return static_cast<T>(bits_.fetch_sub(static_cast<Bits>(value), kOrder));
    } else {
      return Change([value](T old) { return old - value; });
    }
  }
  T Multiply(T value) const {
    if constexpr (kIsInteger) {
      return Change([value](T old) {
        return static_cast<T>(static_cast<Bits>(old) *
                              static_cast<Bits>(value));
      });
    } else {
      return Change([value](T old) { return old * value; });
    }
  }
  T Least(T value) const {
    return Change([value](T old) { return value < old ? value : old; });
  }
  T Greatest(T value) const {
    return Change([value](T old) { return old < value ? value : old; });
  }
  // And(), Or() and Xor() exist for integers only.
  T And(T value) const {
    return static_cast<T>(bits_.fetch_and(static_cast<Bits>(value), kOrder));
  }
  T Or(T value) const {
    return static_cast<T>(bits_.fetch_or(static_cast<Bits>(value), kOrder));
  }
  T Xor(T value) const {
    return static_cast<T>(bits_.fetch_xor(static_cast<Bits>(value), kOrder));
  }

 private:
  static constexpr std::memory_order kOrder = std::memory_order_seq_cst;

  template <class Function>
  T Change(Function function) const {
    // The first load may be relaxed, since only the exchange must order memory.
    Bits old = bits_.load(std::memory_order_relaxed);
    while (!bits_.compare_exchange_weak(
        old, std::bit_cast<Bits>(function(std::bit_cast<T>(old))), kOrder,
        std::memory_order_relaxed)) {
    }
    return std::bit_cast<T>(old);
  }

  std::atomic_ref<Bits> bits_;
};

}  // namespace internal

// Performs an operation. The operation must be defined for T. Sets *result if
// the operation fetches. The target must be aligned. Inlined, so that for a
// constant operation only its own instruction remains.
template <class T>
[[gnu::always_inline]] inline void Apply(gex_OP_t operation, void* target,
                                         T* result, T operand1, T operand2) {
  const internal::Word<T> word(target);
  constexpr auto place = [](gex_OP_t of) { return __builtin_ctz(of); };
  // Switches on the number of the operation's bit, so that compilers make a
  // jump table.
  switch (place(operation)) {
    case place(GEX_OP_GET):
      *result = word.Get();
      return;
    case place(GEX_OP_SET):
      word.Set(operand1);
      return;
    case place(GEX_OP_SWAP):
      *result = word.Set(operand1);
      return;
    case place(GEX_OP_CAS):
      word.CompareAndSwap(operand1, operand2);
      return;
    case place(GEX_OP_FCAS):
      *result = word.CompareAndSwap(operand1, operand2);
      return;
    case place(GEX_OP_ADD):
      word.Add(operand1);
      return;
    case place(GEX_OP_FADD):
      *result = word.Add(operand1);
      return;
    case place(GEX_OP_SUB):
      word.Subtract(operand1);
      return;
    case place(GEX_OP_FSUB):
      *result = word.Subtract(operand1);
      return;
    case place(GEX_OP_INC):
      word.Add(1);
      return;
    case place(GEX_OP_FINC):
      *result = word.Add(1);
      return;
    case place(GEX_OP_DEC):
      word.Subtract(1);
      return;
    case place(GEX_OP_FDEC):
      *result = word.Subtract(1);
      return;
    case place(GEX_OP_MULT):
      word.Multiply(operand1);
      return;
    case place(GEX_OP_FMULT):
      *result = word.Multiply(operand1);
      return;
    case place(GEX_OP_MIN):
      word.Least(operand1);
      return;
    case place(GEX_OP_FMIN):
      *result = word.Least(operand1);
      return;
    case place(GEX_OP_MAX):
      word.Greatest(operand1);
      return;
    case place(GEX_OP_FMAX):
      *result = word.Greatest(operand1);
      return;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (place(operation)) {
      case place(GEX_OP_AND):
        word.And(operand1);
        return;
      case place(GEX_OP_FAND):
        *result = word.And(operand1);
        return;
      case place(GEX_OP_OR):
        word.Or(operand1);
        return;
      case place(GEX_OP_FOR):
        *result = word.Or(operand1);
        return;
      case place(GEX_OP_XOR):
        word.Xor(operand1);
        return;
      case place(GEX_OP_FXOR):
        *result = word.Xor(operand1);
        return;
    }
  }
}

// Performs an operation on operands that are given as bits. The operation must
// be defined for the type. Returns the old value, as bits, if the operation
// fetches.
uint64_t ApplyBits(gex_DT_t type, gex_OP_t operation, void* target,
                   uint64_t operand1, uint64_t operand2);

}  // namespace gasnet::ex

#endif  // EX_ATOMIC_APPLY_H_
