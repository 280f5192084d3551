// A line of the table: an operation, the function that measures it, and the
// limit. The limit is a baseline, such as a memcpy. The operation's result is
// compared with it. Each program registers its rows in one array.
#ifndef BENCH_HARNESS_ROW_H_
#define BENCH_HARNESS_ROW_H_

#include <cstddef>
#include <cstdint>

#include "bench/harness/sample.h"

namespace gasnet::bench {

// A function that does an operation on `size` bytes `rounds` times and returns
// nanoseconds per round. All processes of the Team (run_rows.h) call the
// function. Only the leader's result counts.
using Measure = double (*)(size_t size, uint64_t rounds);

struct Limit {
  const char* name = nullptr;
  Measure measure = nullptr;
};

struct Row {
  const char* operation;
  size_t size;
  Measure measure;
  Limit limit = {};
  double aim = 0;           // maximum acceptable measure/limit; 0: none
  const char* who = kOurs;  // kOurs or the peer's name
};

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_ROW_H_
