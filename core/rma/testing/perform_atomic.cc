#include "core/rma/testing/perform_atomic.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <type_traits>

namespace gasnet::rma::testing {
namespace {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <class T>
T Bitwise(AtomicOperation operation, T old, T operand) {
  if constexpr (std::is_unsigned_v<T>) {
    switch (operation) {
      case AtomicOperation::kAnd:
        return old & operand;
      case AtomicOperation::kOr:
        return old | operand;
      case AtomicOperation::kXor:
        return old ^ operand;
      default:
        break;
    }
  }
  return operand;
}

// Signed numbers wrap around, as unsigned ones do.
template <class T>
T Result(const Atomic& atomic, T old, T operand) {
  using Wrapping = std::conditional_t<std::is_integral_v<T>, BitsOf<T>, T>;
  switch (atomic.operation) {
    case AtomicOperation::kAdd:
      return static_cast<T>(static_cast<Wrapping>(old) +
                            static_cast<Wrapping>(operand));
    case AtomicOperation::kMultiply:
      return static_cast<T>(static_cast<Wrapping>(old) *
                            static_cast<Wrapping>(operand));
    case AtomicOperation::kMin:
      return std::min(old, operand);
    case AtomicOperation::kMax:
      return std::max(old, operand);
    case AtomicOperation::kCompareAndSwap:
      return std::bit_cast<BitsOf<T>>(old) ==
                     static_cast<BitsOf<T>>(atomic.expected)
                 ? operand
                 : old;
    default:
      return Bitwise(atomic.operation, old, operand);
  }
}

template <class T>
uint64_t PerformAs(const Atomic& atomic, void* at) {
  using Bits = BitsOf<T>;
  const std::atomic_ref<Bits> word(*static_cast<Bits*>(at));
  const T operand = std::bit_cast<T>(static_cast<Bits>(atomic.operand));
  Bits old = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(
      old, std::bit_cast<Bits>(Result(atomic, std::bit_cast<T>(old), operand)),
      std::memory_order_seq_cst, std::memory_order_relaxed)) {
  }
  return old;
}

}  // namespace

uint64_t PerformAtomic(const Atomic& atomic, void* at) {
  switch (atomic.type) {
    case WordType::kI32:
      return PerformAs<int32_t>(atomic, at);
    case WordType::kU32:
      return PerformAs<uint32_t>(atomic, at);
    case WordType::kI64:
      return PerformAs<int64_t>(atomic, at);
    case WordType::kU64:
      return PerformAs<uint64_t>(atomic, at);
    case WordType::kFloat:
      return PerformAs<float>(atomic, at);
    case WordType::kDouble:
      return PerformAs<double>(atomic, at);
  }
  __builtin_unreachable();
}

}  // namespace gasnet::rma::testing
