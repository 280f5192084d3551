// The ranks of a benchmark program: their start, agreement, barriers and
// memory. One thread of every rank makes the collective calls.
#ifndef BENCH_RANKS_RANKS_H_
#define BENCH_RANKS_RANKS_H_

#include <gasnet.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.h"
#include "bench/harness/operations.h"
#include "bench/harness/options.h"
#include "bench/harness/row.h"
#include "bench/harness/run_rows.h"

namespace gasnet::bench {

// The build: seq, parsync or par.
extern const char kMode[];

using HandlerTable = std::vector<gasnet_handlerentry_t>;

template <class Function>
gasnet_handlerentry_t HandlerEntry(gasnet_handler_t index, Function* function) {
  return {index, reinterpret_cast<void (*)()>(function)};
}

// A function that returns the bytes of memory that each of `ranks` ranks needs.
using DataOfRanks = size_t (*)(size_t ranks);
constexpr size_t OneTransfer(size_t /*ranks*/) { return kLargestTransfer; }

// Starts GASNet with the handlers and reads the options. Ends the job if the
// start fails, if an option is wrong, if the job does not have `ranks` ranks
// (0: any number), or if a segment has less memory than `data` demands.
Options StartRanks(int argc, char** argv, HandlerTable handlers,
                   gasnet_node_t ranks, DataOfRanks data = &OneTransfer);

// Measures the rows and ends the job.
[[noreturn]] void MeasureRows(std::span<const Row> rows,
                              const Options& options);

class Ranks : public Team {
 public:
  bool Leads() const override { return gasnet_mynode() == 0; }
  uint64_t Agree(uint64_t value) override;
};

// Returns a rank's data in its segment, on a page boundary. The `data` argument
// of StartRanks determined its size.
unsigned char* DataOf(gasnet_node_t rank);

void Barrier();

// Returns the processor that rank `rank` ran on when it started.
int ProcessorOf(gasnet_node_t rank);

// Returns nanoseconds per operation. Rank 0 does `rounds` operations, while all
// other ranks wait in a barrier. Collective.
template <class Operation>
double OnRankZero(uint64_t rounds, Operation operation) {
  Barrier();
  const int64_t start = NowNanos();
  if (gasnet_mynode() == 0) {
    for (uint64_t i = 0; i < rounds; ++i) operation(i);
  }
  const int64_t nanos = NowNanos() - start;
  Barrier();
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

// Runs work() on rank 0 while all others wait in a barrier. Returns the
// nanoseconds that work() returns. Collective.
template <class Work>
double WhileOthersWait(Work work) {
  Barrier();
  const double nanos = gasnet_mynode() == 0 ? work() : 0;
  Barrier();
  return nanos;
}

// Like WhileOthersWait, but the other ranks sleep and leave their processors
// free for work().
template <class Work>
double WhileOthersSleep(Work work) {
  gasnet_set_waitmode(GASNET_WAIT_BLOCK);
  const double nanos = WhileOthersWait(work);
  gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK);  // the initial mode of a job
  return nanos;
}

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_RANKS_H_
