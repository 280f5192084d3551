// Several threads that share a rank: their speed relative to one thread.
#include <array>
#include <vector>

#include "bench/ranks/ranks.h"
#include "bench/ranks/threaded.h"

namespace gasnet::bench {
namespace {

constexpr char kLimit[] = "one thread, scaled";

// Accepts a third of the perfect speed-up.
constexpr double kAim = 3;

template <double (*operation)(int, uint64_t)>
void AddRows(std::vector<Row>& rows, size_t size,
             const std::array<const char*, 4>& names) {
  const auto add = [&](const char* name, Measure measure, Measure limit) {
    rows.push_back({name, size, measure, {kLimit, limit}, kAim});
  };
  rows.push_back({names[0], size, OnThreads<operation, 1>});
  add(names[1], OnThreads<operation, 2>, ScaledFromOne<operation, 2>);
  add(names[2], OnThreads<operation, 4>, ScaledFromOne<operation, 4>);
  add(names[3], OnThreads<operation, 8>, ScaledFromOne<operation, 8>);
}

std::vector<Row> AllRows() {
  std::vector<Row> rows;
  AddRows<RoundTrips>(rows, 0,
                      {"1 thread: round trips", "2 threads: round trips",
                       "4 threads: round trips", "8 threads: round trips"});
  AddRows<OneSidedFlood>(rows, 8,
                         {"1 thread: flood", "2 threads: flood",
                          "4 threads: flood", "8 threads: flood"});
  AddRows<TwoSidedFlood>(
      rows, 8,
      {"1 thread: floods both ways", "2 threads: floods both ways",
       "4 threads: floods both ways", "8 threads: floods both ways"});
  AddRows<BlockingPuts>(rows, 8,
                        {"1 thread: puts", "2 threads: puts", "4 threads: puts",
                         "8 threads: puts"});
  AddRows<ImplicitPuts>(
      rows, 8,
      {"1 thread: implicit puts", "2 threads: implicit puts",
       "4 threads: implicit puts", "8 threads: implicit puts"});
  return rows;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  HandlerTable handlers;
  AddThreadedHandlers(handlers);
  const Options options = StartRanks(argc, argv, handlers, 2);
  MeasureRows(AllRows(), options);
}
