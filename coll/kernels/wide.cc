// The kernels for AVX2, if the compiler supports AVX2.
#include "coll/kernels/kernels.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), \
                             apply_to = function)
#elif defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#include "coll/kernels/loops.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#elif defined(__x86_64__)
#pragma GCC pop_options
#endif

namespace gasnet::coll::internal {

const KernelTable& WideKernels() { return kTable; }

}  // namespace gasnet::coll::internal
