// The kernels of reductions beside a copy of as many bytes.
#ifndef BENCH_RANKS_REDUCTIONS_H_
#define BENCH_RANKS_REDUCTIONS_H_

#include <vector>

#include "bench/harness/row.h"

namespace gasnet::bench {

// Rank 0 measures; others wait.
void AddKernels(std::vector<Row>& rows);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_REDUCTIONS_H_
