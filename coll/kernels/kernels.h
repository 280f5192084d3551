// Elementwise reductions of arrays: the predefined operations on the predefined
// types.
//
// A kernel combines 2, 4 or 8 arrays in one pass, always by the same tree: (0
// 1), ((0 1)(2 3)), (((0 1)(2 3))((4 5)(6 7))). So combining arrays in groups
// of 4 or 8 gives the same bits as combining them two by two.
//
//   signed sums and products   wrap around
//   minimum, maximum           x < y ? x : y and x > y ? x : y of the left x
//                              and the right y; y if either is NaN
//   logical                    1 or 0
//
// The instruction set is chosen at run time; all choices give the same bits.
#ifndef COLL_KERNELS_KERNELS_H_
#define COLL_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::coll {

enum class Type : uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat,
  kDouble,
};
inline constexpr size_t kTypes = 10;

enum class Op : uint8_t {
  kSum,
  kProduct,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXor,
  kLogicalAnd,
  kLogicalOr,
};
inline constexpr size_t kOps = 9;

// Returns the size of an element in bytes.
size_t SizeOf(Type type);

// Computes result[i] = sources[0][i] op sources[1][i] ... All arrays are
// aligned for the type. The result is the same array as one of the sources, or
// overlaps none of them.
using Kernel = void (*)(void* result, const void* const* sources,
                        size_t elements);

struct Kernels {
  Kernel of_two = nullptr;
  Kernel of_four = nullptr;
  Kernel of_eight = nullptr;
};

// Returns the kernels of an operation. The kernels are null if the type does
// not have the operation: float and double have no bitwise operations.
Kernels KernelsOf(Type type, Op op);

namespace internal {

// The kernels of one instruction set, indexed by type and operation.
struct KernelTable {
  Kernels of[kTypes][kOps];
};
const KernelTable& PortableKernels();
// Returns the kernels for x86-64 with AVX2. Returns the portable kernels if the
// compiler does not support AVX2.
const KernelTable& WideKernels();
// Returns the kernels for AVX-512. Returns the portable kernels if the compiler
// does not support AVX-512.
const KernelTable& WidestKernels();
// HasWide returns true if this processor has AVX2. HasWidest returns true if
// the processor has AVX-512 and is at least an Ice Lake or Zen 4. Older
// processors may run slower with AVX-512.
bool HasWide();
bool HasWidest();

}  // namespace internal
}  // namespace gasnet::coll

#endif  // COLL_KERNELS_KERNELS_H_
