// Measures a table of rows: how often each operation is repeated so that it can
// be timed, and the order in which limit and ours alternate.
#ifndef BENCH_HARNESS_RUN_ROWS_H_
#define BENCH_HARNESS_RUN_ROWS_H_

#include <cstdint>
#include <span>

#include "bench/harness/options.h"
#include "bench/harness/row.h"

namespace gasnet::bench {

// The processes that run a benchmark together, each with the same rows.
class Team {
 public:
  virtual ~Team() = default;

  // Whether this process times, decides and prints. One does.
  virtual bool Leads() const = 0;

  // The leader's `value`, in every process. Collective.
  virtual uint64_t Agree(uint64_t value) = 0;
};

// Every repetition goes through all rows and measures each beside its limit,
// now before and now after it, so that what else the machine does meanwhile
// touches both. The leader prints a sample for each. Collective.
void RunRows(std::span<const Row> rows, const Options& options,
             const char* mode, Team& team);

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_RUN_ROWS_H_
