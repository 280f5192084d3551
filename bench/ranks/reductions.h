// The kernels of reductions, compared with a copy of as many bytes.
#ifndef BENCH_RANKS_REDUCTIONS_H_
#define BENCH_RANKS_REDUCTIONS_H_

#include <vector>

#include "bench/harness/row.h"

namespace gasnet::bench {

// Adds the rows of the kernels. Rank 0 measures; the other ranks wait.
void AddKernels(std::vector<Row>& rows);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_REDUCTIONS_H_
