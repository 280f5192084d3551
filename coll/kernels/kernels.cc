#include "coll/kernels/kernels.h"

namespace gasnet::coll {
namespace internal {

bool HasWide() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
#else
  return false;
#endif
}

bool HasWidest() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512vbmi2");
  return has;
#else
  return false;
#endif
}

namespace {

const KernelTable& BestKernels() {
  if (HasWidest()) return WidestKernels();
  return HasWide() ? WideKernels() : PortableKernels();
}

}  // namespace
}  // namespace internal

Kernels KernelsOf(Type type, Op op) {
  const internal::KernelTable& table = internal::BestKernels();
  return table.of[static_cast<size_t>(type)][static_cast<size_t>(op)];
}

size_t SizeOf(Type type) {
  switch (type) {
    case Type::kInt8:
    case Type::kUint8:
      return 1;
    case Type::kInt16:
    case Type::kUint16:
      return 2;
    case Type::kInt32:
    case Type::kUint32:
    case Type::kFloat:
      return 4;
    case Type::kInt64:
    case Type::kUint64:
    case Type::kDouble:
      return 8;
  }
  return 0;
}

}  // namespace gasnet::coll
