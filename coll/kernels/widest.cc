// The kernels for AVX-512, if the compiler supports AVX-512. By default GCC
// uses vectors of half the width, so an option demands 512 bits.
#include "coll/kernels/kernels.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(                                      \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), \
    apply_to = function)
#elif defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#pragma GCC target("prefer-vector-width=512")
#endif

#include "coll/kernels/loops.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#elif defined(__x86_64__)
#pragma GCC pop_options
#endif

namespace gasnet::coll::internal {

const KernelTable& WidestKernels() { return kTable; }

}  // namespace gasnet::coll::internal
