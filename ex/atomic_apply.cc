#include "ex/atomic_apply.h"

namespace gasnet::ex {
namespace {

template <class T>
uint64_t ApplyAs(gex_OP_t operation, void* target, uint64_t operand1,
                 uint64_t operand2) {
  using Bits = BitsOf<T>;
  T result{};
  Apply<T>(operation, target, &result,
           std::bit_cast<T>(static_cast<Bits>(operand1)),
           std::bit_cast<T>(static_cast<Bits>(operand2)));
  return std::bit_cast<Bits>(result);
}

}  // namespace

uint64_t ApplyBits(gex_DT_t type, gex_OP_t operation, void* target,
                   uint64_t operand1, uint64_t operand2) {
  switch (type) {
    case GEX_DT_I32:
      return ApplyAs<int32_t>(operation, target, operand1, operand2);
    case GEX_DT_U32:
      return ApplyAs<uint32_t>(operation, target, operand1, operand2);
    case GEX_DT_I64:
      return ApplyAs<int64_t>(operation, target, operand1, operand2);
    case GEX_DT_U64:
      return ApplyAs<uint64_t>(operation, target, operand1, operand2);
    case GEX_DT_FLT:
      return ApplyAs<float>(operation, target, operand1, operand2);
    case GEX_DT_DBL:
      return ApplyAs<double>(operation, target, operand1, operand2);
    default:
      return 0;
  }
}

}  // namespace gasnet::ex
