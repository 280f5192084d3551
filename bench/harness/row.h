// A line of the table: an operation, the function that measures it, and the
// limit that it is compared with. Each program registers its rows in one array.
#ifndef BENCH_HARNESS_ROW_H_
#define BENCH_HARNESS_ROW_H_

#include <cstddef>
#include <cstdint>

#include "bench/harness/sample.h"

namespace gasnet::bench {

// Does an operation on `size` bytes `rounds` times and returns nanoseconds per
// round. Called by all members of the team; the leader's result counts.
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
  double aim = 0;           // the most that measure/limit should be; 0: none
  const char* who = kOurs;  // or the peer's name
};

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_ROW_H_
