// An atomic operation that a network performs by itself on one word of another
// rank's segment (rma.h).
#ifndef CORE_RMA_ATOMIC_H_
#define CORE_RMA_ATOMIC_H_

#include <cstddef>
#include <cstdint>

#include "core/rank.h"
#include "core/rma/pending_count.h"

namespace gasnet::rma {

enum class WordType : uint8_t { kI32, kU32, kI64, kU64, kFloat, kDouble };
inline constexpr size_t kWordTypes = 6;

constexpr size_t SizeOf(WordType type) {
  switch (type) {
    case WordType::kI32:
    case WordType::kU32:
    case WordType::kFloat:
      return sizeof(uint32_t);
    default:
      return sizeof(uint64_t);
  }
}

// The operations: word = word OP operand. All other operations of clients are
// expressed by these.
//
// - kSwap: the word becomes the operand.
// - kCompareAndSwap: the same, if the bits of the word are those of `expected`.
// - kAnd, kOr, kXor, kSwap and kCompareAndSwap work on bits. Their type is
//   kU32 or kU64.
// - kAdd and kMultiply of integers wrap around.
enum class AtomicOperation : uint8_t {
  kSwap,
  kCompareAndSwap,
  kAdd,
  kMultiply,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXor,
};
inline constexpr size_t kAtomicOperations = 9;

// The target is an address in the peer's address space, inside the peer's
// segment, and a multiple of the word's size.
struct Atomic {
  Rank peer = 0;
  AtomicOperation operation = AtomicOperation::kSwap;
  WordType type = WordType::kU64;
  void* target = nullptr;
  // The operands as bits, in the low-order bytes.
  uint64_t operand = 0;
  uint64_t expected = 0;
  // The destination of the word's previous value. Null: it is not fetched.
  void* result = nullptr;
  PendingCount* complete = nullptr;
};

}  // namespace gasnet::rma

#endif  // CORE_RMA_ATOMIC_H_
