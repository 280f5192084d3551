// The expected results of reductions, computed sequentially in the canonical
// order.
#include <algorithm>
#include <cstring>

#include "coll/testing/program.h"

namespace gasnet::coll::testing {
namespace {

// A reduction function. `results` may be the same array as `left`, but not as
// `right`.
void MixBytes(void* results, size_t count, const void* left, size_t,
              const void* right, size_t elem_size, int flags, int arg) {
  auto* const to = static_cast<unsigned char*>(results);
  const auto* const a = static_cast<const unsigned char*>(left);
  const auto* const b = static_cast<const unsigned char*>(right);
  const size_t nbytes = count * elem_size;
  for (size_t i = 0; i < nbytes; ++i) {
    to[i] = static_cast<unsigned char>(3 * a[i] + flags);
  }
  for (size_t i = 0; i < nbytes; ++i) {
    to[i] = static_cast<unsigned char>(to[i] + 5 * b[i] + arg);
  }
}

void MixIntoRight(const void* left, void* right, size_t count,
                  const void* data) {
  const auto* const a = static_cast<const unsigned char*>(left);
  auto* const b = static_cast<unsigned char*>(right);
  const int more = *static_cast<const int*>(data);
  for (size_t i = 0; i < 3 * count; ++i) {
    b[i] = static_cast<unsigned char>(3 * a[i] + 5 * b[i] + more);
  }
}

void CombineTwo(How how, Bytes& left, const Bytes& right) {
  if (how == How::kMixBytes || how == How::kMixIntoRight) {
    return MixBytes(left.data(), left.size() / 3, left.data(), 0, right.data(),
                    3, 1, 2);
  }
  for (size_t i = 0; i < left.size(); i += ElementSize(how)) {
    if (how == How::kFloatSum) {
      float a;
      float b;
      std::memcpy(&a, &left[i], sizeof(a));
      std::memcpy(&b, &right[i], sizeof(b));
      a += b;
      std::memcpy(&left[i], &a, sizeof(a));
    } else {
      int64_t a;
      int64_t b;
      std::memcpy(&a, &left[i], sizeof(a));
      std::memcpy(&b, &right[i], sizeof(b));
      a = std::max(a, b);
      std::memcpy(&left[i], &a, sizeof(a));
    }
  }
}

}  // namespace

size_t ElementSize(How how) {
  return how == How::kFloatSum ? 4 : how == How::kInt64Max ? 8 : 3;
}

Reduction ReductionOf(How how, size_t elements) {
  Reduction reduction;
  reduction.elem_size = ElementSize(how);
  reduction.elem_count = elements;
  if (how == How::kFloatSum) {
    reduction.kernels = KernelsOf(Type::kFloat, Op::kSum);
  } else if (how == How::kInt64Max) {
    reduction.kernels = KernelsOf(Type::kInt64, Op::kMax);
  } else if (how == How::kMixIntoRight) {
    static constexpr int kMore = 3;
    reduction.into_right = &MixIntoRight;
    reduction.into_right_data = &kMore;
    reduction.name = Reduction::kIntoRightName;
  } else {
    reduction.function = &MixBytes;
    reduction.function_flags = 1;
    reduction.function_arg = 2;
  }
  return reduction;
}

Bytes ReduceInOrder(How how, const std::vector<Bytes>& sources, size_t first,
                    size_t count) {
  if (count == 1) return sources[first];
  size_t half = 1;
  while (half * 2 < count) half *= 2;
  Bytes left = ReduceInOrder(how, sources, first, half);
  CombineTwo(how, left,
             ReduceInOrder(how, sources, first + half, count - half));
  return left;
}

}  // namespace gasnet::coll::testing
