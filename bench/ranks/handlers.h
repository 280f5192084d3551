// The index of every handler that the benchmarks register. A job has one
// handler table, so all indices are in one place.
#ifndef BENCH_RANKS_HANDLERS_H_
#define BENCH_RANKS_HANDLERS_H_

#include <gasnet.h>

namespace gasnet::bench {

enum HandlerIndex : gasnet_handler_t {
  kPing = 200,
  kPong,
  kPingMedium,
  kPongMedium,
  kPingLong,
  kPingLongBack,
  kStop,
  kCountShort,
  kCountMedium,
  kAllCounted,
  kThreadPing,
  kThreadPong,
  kThreadCount,
};

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_HANDLERS_H_
