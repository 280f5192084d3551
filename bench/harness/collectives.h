// The collectives that the benchmarks compare. GASNet's collectives, the
// hand-written baseline and the peers (other libraries) do the same work. In
// each round every source rank first writes a word in each cache line of its
// source. At the end every rank with a result reads a word in each line of the
// result. So no rank can reuse a cached copy of old data, and no rank can skip
// part of the work.
#ifndef BENCH_HARNESS_COLLECTIVES_H_
#define BENCH_HARNESS_COLLECTIVES_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "bench/harness/row.h"

namespace gasnet::bench {

enum class Collective : uint8_t {
  kBroadcast,
  kScatter,
  kGather,
  kGatherAll,
  kExchange,
  kReduce,  // kReduce, kReduceAll and kScan sum doubles.
  kReduceAll,
  kScan,
};
inline constexpr size_t kCollectives = 8;

// Calls `add`, a function template, once for each collective.
template <class Add>
void ForEachCollective(Add add) {
  add.template operator()<Collective::kBroadcast>();
  add.template operator()<Collective::kScatter>();
  add.template operator()<Collective::kGather>();
  add.template operator()<Collective::kGatherAll>();
  add.template operator()<Collective::kExchange>();
  add.template operator()<Collective::kReduce>();
  add.template operator()<Collective::kReduceAll>();
  add.template operator()<Collective::kScan>();
}

struct CollectiveNames {
  const char* loop;
  const char* sync;
};
inline constexpr CollectiveNames kCollectiveNames[kCollectives] = {
    {"broadcast, in a loop", "broadcast, after a barrier"},
    {"scatter, in a loop", "scatter, after a barrier"},
    {"gather, in a loop", "gather, after a barrier"},
    {"gather_all, in a loop", "gather_all, after a barrier"},
    {"exchange, in a loop", "exchange, after a barrier"},
    {"reduce, in a loop", "reduce, after a barrier"},
    {"reduce_all, in a loop", "reduce_all, after a barrier"},
    {"scan, in a loop", "scan, after a barrier"},
};
inline constexpr size_t kCollectiveSizes[] = {8, 1024, 65536, 1048576};
inline constexpr size_t kLargestCollective = kCollectiveSizes[3];

// The largest measured size of a collective in which every rank sends to every
// rank. The collective needs twice ranks * ranks blocks of memory.
inline constexpr size_t kMaxOfAllBlocks = size_t{8} << 20;

constexpr bool IsAllToAll(Collective kind) {
  return kind == Collective::kGatherAll || kind == Collective::kExchange;
}
inline bool IsMeasured(Collective kind, size_t size, size_t ranks) {
  return !IsAllToAll(kind) || size * ranks <= kMaxOfAllBlocks;
}

// Return the bytes of a rank's source and of its result. A rank without a
// source or result has 0 bytes. The root is rank 0.
inline size_t SourceBytes(Collective kind, size_t size, size_t rank,
                          size_t ranks) {
  switch (kind) {
    case Collective::kBroadcast:
      return rank == 0 ? size : 0;
    case Collective::kScatter:
      return rank == 0 ? size * ranks : 0;
    case Collective::kExchange:
      return size * ranks;
    default:
      return size;
  }
}
inline size_t ResultBytes(Collective kind, size_t size, size_t rank,
                          size_t ranks) {
  switch (kind) {
    case Collective::kGather:
      return rank == 0 ? size * ranks : 0;
    case Collective::kReduce:
      return rank == 0 ? size : 0;
    case Collective::kGatherAll:
    case Collective::kExchange:
      return size * ranks;
    default:
      return size;
  }
}

// Returns the largest size of any source or result for `ranks` ranks.
inline size_t CollectiveAreaBytes(size_t ranks) {
  return kLargestCollective * ranks;
}

inline void DirtySource(double* source, size_t bytes, uint64_t round) {
  for (size_t at = 0; at < bytes; at += 64) {
    source[at / sizeof(double)] = static_cast<double>(round % 1000);
  }
}

inline void ConsumeResult(const double* result, size_t bytes) {
  double sum = 0;
  for (size_t at = 0; at < bytes; at += 64) sum += result[at / sizeof(double)];
  asm volatile("" : : "x"(sum));
}

// Returns nanoseconds per round, by the caller's clock. The time ends when all
// ranks have finished. Backend has rank(), ranks(), source(), result(),
// Barrier(), and Run(kind, size). Run performs the operation from source() to
// result() of all ranks. Collective.
template <class Backend>
double CollectiveNanos(Backend& backend, Collective kind, size_t size,
                       bool sync, uint64_t rounds) {
  const size_t in = SourceBytes(kind, size, backend.rank(), backend.ranks());
  const size_t out = ResultBytes(kind, size, backend.rank(), backend.ranks());
  backend.Barrier();
  const int64_t start = NowNanos();
  for (uint64_t round = 0; round < rounds; ++round) {
    DirtySource(backend.source(), in, round);
    if (sync) backend.Barrier();
    backend.Run(kind, size);
    ConsumeResult(backend.result(), out);
  }
  backend.Barrier();
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

}  // namespace gasnet::bench

#endif  // BENCH_HARNESS_COLLECTIVES_H_
