// GASNet's collectives among all ranks, from segment to segment (see
// bench/harness/collectives.h). Also hand-written collectives for the ranks of
// one host, in additional shared memory.
#ifndef BENCH_RANKS_COLLECTIVES_H_
#define BENCH_RANKS_COLLECTIVES_H_

#include <gasnet.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/harness/collectives.h"
#include "bench/harness/options.h"
#include "bench/harness/row.h"

namespace gasnet::bench {

// Calls StartRanks with enough memory for all rows.
Options StartForCollectives(int argc, char** argv);

// Returns nanoseconds per round of GASNet's collective. `modes` are the IN and
// OUT flags of the collective, such as kMySync.
double OurCollective(Collective kind, size_t size, bool sync, int modes,
                     uint64_t rounds);

// Returns nanoseconds per round of the hand-written collective: the shorter
// time of push and pull. Only for ranks of one host.
double CollectiveByHand(Collective kind, size_t size, bool sync,
                        uint64_t rounds);

// Returns nanoseconds per GASNet barrier.
double BarrierNanos(size_t size, uint64_t rounds);

inline constexpr int kMySync = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC;
inline constexpr int kAllSync =
    GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;

template <Collective kKind, bool kSync, int kModes = kMySync>
double Ours(size_t size, uint64_t rounds) {
  return OurCollective(kKind, size, kSync, kModes, rounds);
}
template <Collective kKind, bool kSync>
double ByHand(size_t size, uint64_t rounds) {
  return CollectiveByHand(kKind, size, kSync, rounds);
}

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_COLLECTIVES_H_
