#include "export/coll/reduction_of.h"

#include <cstdint>
#include <optional>

#include "base/log.h"
#include "coll/kernels/kernels.h"

namespace gasnet::exported {
namespace {

using coll::Op;
using coll::Type;

// The encoding of types in all_compute.h: a bit that marks predefined types,
// the index of the type, and its size.
constexpr uint32_t kPredefined = 0x40000000;
constexpr gasnet_all_type_t Encoded(Type type, size_t size) {
  return kPredefined | static_cast<uint32_t>(type) << 8 |
         static_cast<uint32_t>(size);
}
static_assert(GASNET_ALL_INT8 == Encoded(Type::kInt8, 1));
static_assert(GASNET_ALL_UINT8 == Encoded(Type::kUint8, 1));
static_assert(GASNET_ALL_INT16 == Encoded(Type::kInt16, 2));
static_assert(GASNET_ALL_UINT16 == Encoded(Type::kUint16, 2));
static_assert(GASNET_ALL_INT32 == Encoded(Type::kInt32, 4));
static_assert(GASNET_ALL_UINT32 == Encoded(Type::kUint32, 4));
static_assert(GASNET_ALL_INT64 == Encoded(Type::kInt64, 8));
static_assert(GASNET_ALL_UINT64 == Encoded(Type::kUint64, 8));
static_assert(GASNET_ALL_FLOAT == Encoded(Type::kFloat, sizeof(float)));
static_assert(GASNET_ALL_DOUBLE == Encoded(Type::kDouble, sizeof(double)));
static_assert(GASNET_ALL_SUM == static_cast<unsigned>(Op::kSum));
static_assert(GASNET_ALL_PRODUCT == static_cast<unsigned>(Op::kProduct));
static_assert(GASNET_ALL_MIN == static_cast<unsigned>(Op::kMin));
static_assert(GASNET_ALL_MAX == static_cast<unsigned>(Op::kMax));
static_assert(GASNET_ALL_AND == static_cast<unsigned>(Op::kAnd));
static_assert(GASNET_ALL_OR == static_cast<unsigned>(Op::kOr));
static_assert(GASNET_ALL_XOR == static_cast<unsigned>(Op::kXor));
static_assert(GASNET_ALL_LOGICAL_AND == static_cast<unsigned>(Op::kLogicalAnd));
static_assert(GASNET_ALL_LOGICAL_OR == static_cast<unsigned>(Op::kLogicalOr));

constexpr gasnet_all_op_t kFunction = GASNET_ALL_FUNCTION(0);

// The name of a reduction is a number that all nodes can compare. It identifies
// a function, or a type and operation. The highest bit marks functions.
constexpr uint32_t NameOfFunction(uint32_t index) {
  return coll::Reduction::kFunctionName | index;
}
constexpr uint32_t NameOf(Type type, Op op) {
  return static_cast<uint32_t>(type) << 8 | static_cast<uint32_t>(op);
}

std::optional<Type> PredefinedType(gasnet_all_type_t type) {
  const uint32_t index = (type & ~kPredefined) >> 8;
  if ((type & kPredefined) == 0 || index >= coll::kTypes) return std::nullopt;
  const auto named = static_cast<Type>(index);
  if (type != Encoded(named, coll::SizeOf(named))) return std::nullopt;
  return named;
}

void RequireSize(const char* call, size_t elem_size, size_t elem_count) {
  size_t nbytes = 0;
  if (!__builtin_mul_overflow(elem_size, elem_count, &nbytes)) return;
  Fatal("%s: elem_count is %zu, of %zu bytes each: more than memory can have",
        call, elem_count, elem_size);
}

}  // namespace

coll::Reduction FunctionReduction(const CollSetUp& set_up, const char* call,
                                  gasnet_coll_fn_handle_t func, int func_arg,
                                  size_t elem_size, size_t elem_count) {
  const gasnet_coll_fn_entry_t& entry = set_up.FunctionAt(call, func);
  RequireSize(call, elem_size, elem_count);
  // Elements of zero bytes need no combining. So the reduction has no elements,
  // and a nominal size of one byte for each.
  if (elem_size == 0)
    return FunctionReduction(set_up, call, func, func_arg, 1, 0);
  return {.kernels = {},
          .function = entry.fnptr,
          .function_flags = static_cast<int>(entry.flags),
          .function_arg = func_arg,
          .elem_size = elem_size,
          .elem_count = elem_count,
          .name = NameOfFunction(func)};
}

coll::Reduction TypedReduction(const CollSetUp& set_up, const char* call,
                               gasnet_all_type_t type, gasnet_all_op_t op,
                               int op_arg, size_t elem_count) {
  const std::optional<Type> number = PredefinedType(type);
  if (!number && (type == 0 || type > GASNET_ALL_BYTES_MAX)) {
    Fatal("%s: type is 0x%x, which is not a type", call, type);
  }
  const size_t elem_size = number ? coll::SizeOf(*number) : type;
  if ((op & kFunction) != 0) {
    return FunctionReduction(set_up, call, op & ~kFunction, op_arg, elem_size,
                             elem_count);
  }
  if (op >= coll::kOps)
    Fatal("%s: op is 0x%x, which is not an operation", call, op);
  const auto named = static_cast<Op>(op);
  coll::Kernels kernels;
  if (number) kernels = coll::KernelsOf(*number, named);
  if (kernels.of_two == nullptr) {
    Fatal("%s: type 0x%x has no operation %u; use a function", call, type, op);
  }
  RequireSize(call, elem_size, elem_count);
  return {.kernels = kernels,
          .elem_size = elem_size,
          .elem_count = elem_count,
          .name = NameOf(*number, named)};
}

}  // namespace gasnet::exported
