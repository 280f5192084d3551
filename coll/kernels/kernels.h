// Elementwise reductions of arrays: the predefined operations on the
// predefined types.
//
// A kernel combines 2, 4 or 8 arrays in one pass, always by the same tree:
// (0 1), ((0 1)(2 3)), (((0 1)(2 3))((4 5)(6 7))). So whoever splits ranks into
// such groups gets the same bits as who combines them two by two.
//
//   signed sums and products   wrap
//   minimum, maximum           x < y ? x : y and x > y ? x : y of the left x
//                              and the right y: y, where one of them is no
//                              number
//   logical                    1 or 0
//
// The instructions are chosen at run time; all choices give the same bits.
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

// Bytes of an element.
size_t SizeOf(Type type);

// result[i] = sources[0][i] op sources[1][i] ... All are aligned for the type.
// The result is one of the sources, or overlaps none.
using Kernel = void (*)(void* result, const void* const* sources,
                        size_t elements);

struct Kernels {
  Kernel of_two = nullptr;
  Kernel of_four = nullptr;
  Kernel of_eight = nullptr;
};

// Null where the type has no such operation: those on bits, of float and
// double.
Kernels KernelsOf(Type type, Op op);

namespace internal {

// For each set of instructions the same table, by type and operation.
struct KernelTable {
  Kernels of[kTypes][kOps];
};
const KernelTable& PortableKernels();
// Of x86-64 with AVX2, where the compiler can make them.
const KernelTable& WideKernels();
// And with AVX-512.
const KernelTable& WidestKernels();
// Whether this processor has what they need. AVX-512 counts from Ice Lake and
// Zen 4 on, which do not run slower for it.
bool HasWide();
bool HasWidest();

}  // namespace internal
}  // namespace gasnet::coll

#endif  // COLL_KERNELS_KERNELS_H_
