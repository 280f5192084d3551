// Whether threads that share a rank get as much done as one alone.
#include "bench/ranks/ranks.h"
#include "bench/ranks/threaded.h"

namespace gasnet::bench {
namespace {

const Row kRows[] = {
    {"4 threads: round trips, each",
     0,
     ThreadedRoundTrips,
     {"one thread", OneThreadRoundTrips},
     1.0},
    {"4 threads: puts, each",
     8,
     ThreadedPuts,
     {"one thread", OneThreadPuts},
     1.0},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  HandlerTable handlers;
  AddThreadedHandlers(handlers);
  const Options options = StartRanks(argc, argv, handlers, 2);
  MeasureRows(kRows, options);
}
