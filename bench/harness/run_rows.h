// Measures a table of rows. Chooses how many rounds of each operation are
// timed. In each repetition, also decides whether the row or its baseline is
// measured first.
#ifndef BENCH_HARNESS_RUN_ROWS_H_
#define BENCH_HARNESS_RUN_ROWS_H_

#include <cstdint>
#include <span>

#include "bench/harness/options.h"
#include "bench/harness/row.h"

namespace gasnet::bench {

// The processes that run a benchmark together. All have equal rows.
class Team {
 public:
  virtual ~Team() = default;

  // Returns true in the one process that takes times, makes decisions and
  // prints.
  virtual bool Leads() const = 0;

  // Returns the leader's `value` in every process. Collective.
  virtual uint64_t Agree(uint64_t value) = 0;
};

// Measures each row and its limit in every repetition. The two are measured
// side by side and in alternating order, so that other load on the machine
// affects both. The leader prints a sample for each row. Collective.
void RunRows(std::span<const Row> rows, const Options& options,
             const char* mode, Team& team);

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_RUN_ROWS_H_
