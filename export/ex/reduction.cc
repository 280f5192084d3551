#include "export/ex/reduction.h"

#include <cstdint>
#include <optional>

#include "base/log.h"
#include "coll/kernels/kernels.h"

namespace gasnet::exported {
namespace {

using coll::Op;
using coll::Type;

std::optional<Type> TypeOf(gex_DT_t dt) {
  switch (dt) {
    case GEX_DT_I32:
      return Type::kInt32;
    case GEX_DT_U32:
      return Type::kUint32;
    case GEX_DT_I64:
      return Type::kInt64;
    case GEX_DT_U64:
      return Type::kUint64;
    case GEX_DT_FLT:
      return Type::kFloat;
    case GEX_DT_DBL:
      return Type::kDouble;
    default:
      return std::nullopt;
  }
}

std::optional<Op> OpOf(gex_OP_t op) {
  switch (op) {
    case GEX_OP_ADD:
      return Op::kSum;
    case GEX_OP_MULT:
      return Op::kProduct;
    case GEX_OP_MIN:
      return Op::kMin;
    case GEX_OP_MAX:
      return Op::kMax;
    case GEX_OP_AND:
      return Op::kAnd;
    case GEX_OP_OR:
      return Op::kOr;
    case GEX_OP_XOR:
      return Op::kXor;
    default:
      return std::nullopt;
  }
}

// Returns true if the operation is a function of the client's. Contributions
// are always combined in order of ranks, so the function need not be
// commutative.
bool IsUsers(gex_OP_t op) { return op == GEX_OP_USER || op == GEX_OP_USER_NC; }

void RequireSize(const char* call, std::optional<Type> type, size_t dt_sz,
                 size_t dt_cnt) {
  size_t nbytes = 0;
  if (dt_sz == 0 || (type && dt_sz != coll::SizeOf(*type))) {
    Fatal("%s: dt_sz is %zu; it must be %s%zu", call, dt_sz,
          type ? "the size of dt, " : "at least ",
          type ? coll::SizeOf(*type) : 1);
  }
  if (dt_cnt == 0) Fatal("%s: dt_cnt is 0; it must be at least 1", call);
  if (!__builtin_mul_overflow(dt_sz, dt_cnt, &nbytes)) return;
  Fatal("%s: dt_cnt is %zu, of %zu bytes each: more than memory can have", call,
        dt_cnt, dt_sz);
}

}  // namespace

coll::Reduction ExReduction(const char* call, gex_DT_t dt, size_t dt_sz,
                            size_t dt_cnt, gex_OP_t op,
                            gex_Coll_ReduceFn_t user_op,
                            const void* user_cdata) {
  const std::optional<Type> type = TypeOf(dt);
  if (!type && dt != GEX_DT_USER) {
    Fatal("%s: dt is 0x%x, which is not a data type", call, dt);
  }
  RequireSize(call, type, dt_sz, dt_cnt);
  if (IsUsers(op)) {
    if (user_op == nullptr) Fatal("%s: user_op is NULL", call);
    return {.into_right = user_op,
            .into_right_data = user_cdata,
            .elem_size = dt_sz,
            .elem_count = dt_cnt,
            .name = coll::Reduction::kIntoRightName};
  }
  const std::optional<Op> named = OpOf(op);
  coll::Kernels kernels;
  if (type && named) kernels = coll::KernelsOf(*type, *named);
  if (kernels.of_two == nullptr) {
    Fatal("%s: op is 0x%x, which is not defined for data type 0x%x", call, op,
          dt);
  }
  return {.kernels = kernels,
          .elem_size = dt_sz,
          .elem_count = dt_cnt,
          .name = static_cast<uint32_t>(*type) << 8 |
                  static_cast<uint32_t>(*named)};
}

}  // namespace gasnet::exported
