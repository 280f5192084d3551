#include "ex/native_atomic.h"

#include <bit>

namespace gasnet::ex {
namespace {

using rma::AtomicOperation;
using rma::WordType;

WordType WordTypeOf(gex_DT_t type) {
  switch (type) {
    case GEX_DT_I32:
      return WordType::kI32;
    case GEX_DT_U32:
      return WordType::kU32;
    case GEX_DT_I64:
      return WordType::kI64;
    case GEX_DT_FLT:
      return WordType::kFloat;
    case GEX_DT_DBL:
      return WordType::kDouble;
    default:
      return WordType::kU64;
  }
}
// Returns the type of operations on the bits of a word.
WordType BitsTypeOf(WordType type) {
  return rma::SizeOf(type) == sizeof(uint32_t) ? WordType::kU32
                                               : WordType::kU64;
}

uint64_t One(WordType type) {
  switch (type) {
    case WordType::kFloat:
      return std::bit_cast<uint32_t>(1.0f);
    case WordType::kDouble:
      return std::bit_cast<uint64_t>(1.0);
    default:
      return 1;
  }
}
uint64_t Negative(WordType type, uint64_t bits) {
  switch (type) {
    case WordType::kFloat:
      return bits ^ (uint64_t{1} << 31);
    case WordType::kDouble:
      return bits ^ (uint64_t{1} << 63);
    default:
      return -bits;
  }
}

// Returns the operation that does the same without fetching. SWAP becomes SET,
// and GET stays.
gex_OP_t WithoutFetching(gex_OP_t operation) {
  const gex_OP_t plain = GEX_OP_TO_NONFETCHING(operation);
  return plain != 0 ? plain : operation;
}

}  // namespace

rma::Atomic ExpressNatively(gex_DT_t type, gex_OP_t operation,
                            uint64_t operand1, uint64_t operand2) {
  rma::Atomic atomic;
  atomic.type = WordTypeOf(type);
  atomic.operand = operand1;
  const auto on_bits = [&](AtomicOperation as) {
    atomic.type = BitsTypeOf(atomic.type);
    atomic.operation = as;
  };
  const auto adds = [&](uint64_t bits) {
    atomic.operation = AtomicOperation::kAdd;
    atomic.operand = bits;
  };
  switch (WithoutFetching(operation)) {
    case GEX_OP_GET:
      on_bits(AtomicOperation::kOr);
      atomic.operand = 0;
      break;
    case GEX_OP_SET:
      on_bits(AtomicOperation::kSwap);
      break;
    case GEX_OP_CAS:
      on_bits(AtomicOperation::kCompareAndSwap);
      atomic.expected = operand1;
      atomic.operand = operand2;
      break;
    case GEX_OP_ADD:
      adds(operand1);
      break;
    case GEX_OP_SUB:
      adds(Negative(atomic.type, operand1));
      break;
    case GEX_OP_INC:
      adds(One(atomic.type));
      break;
    case GEX_OP_DEC:
      adds(Negative(atomic.type, One(atomic.type)));
      break;
    case GEX_OP_MULT:
      atomic.operation = AtomicOperation::kMultiply;
      break;
    case GEX_OP_MIN:
      atomic.operation = AtomicOperation::kMin;
      break;
    case GEX_OP_MAX:
      atomic.operation = AtomicOperation::kMax;
      break;
    case GEX_OP_AND:
      on_bits(AtomicOperation::kAnd);
      break;
    case GEX_OP_OR:
      on_bits(AtomicOperation::kOr);
      break;
    default:
      on_bits(AtomicOperation::kXor);
      break;
  }
  return atomic;
}

}  // namespace gasnet::ex
