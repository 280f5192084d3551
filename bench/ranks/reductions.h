// The kernels of reductions, compared with a copy of the same size.
#ifndef BENCH_RANKS_REDUCTIONS_H_
#define BENCH_RANKS_REDUCTIONS_H_

#include <vector>

#include "bench/harness/row.h"

namespace gasnet::bench {

// Adds their rows. Rank 0 measures; others wait.
void AddKernels(std::vector<Row>& rows);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_REDUCTIONS_H_
