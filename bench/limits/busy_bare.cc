// Round trips without GASNet, for each way of waiting, through flags in shared
// memory and through sockets.
#include <cstdio>
#include <string>

#include "bench/harness/operations.h"
#include "bench/harness/options.h"
#include "bench/harness/sample.h"
#include "bench/limits/busy_loop.h"

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  Options options;
  const std::string complaint = ParseOptions(argc, argv, options);
  if (!complaint.empty()) {
    fprintf(stderr, "%s: %s\n", argv[0], complaint.c_str());
    return 2;
  }
  for (const BusyWay way : {BusyWay::kAsleep, BusyWay::kParting}) {
    const bool asleep = way == BusyWay::kAsleep;
    Print({.operation = kBusyFlags,
           .who = asleep ? "flags, asleep" : "flags, parting",
           .value = BusyFlagsNanos(way, options.milliseconds)});
    Print({.operation = kBusySockets,
           .who = asleep ? "sockets, asleep" : "sockets, parting",
           .value = BusySocketsNanos(way, options.milliseconds)});
  }
}
