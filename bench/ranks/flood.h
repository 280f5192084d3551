// Floods of messages without replies from the client. The time ends when the
// receiver reports that it has handled the last one.
#ifndef BENCH_RANKS_FLOOD_H_
#define BENCH_RANKS_FLOOD_H_

#include <cstddef>
#include <cstdint>

#include "bench/ranks/ranks.h"

namespace gasnet::bench {

void AddFloodHandlers(HandlerTable& table);

// Measures (see row.h). Return nanoseconds per message from rank 0 to rank 1.
double ShortFlood(size_t size, uint64_t rounds);
double MediumFlood(size_t size, uint64_t rounds);

// Returns nanoseconds per Medium if every rank sends to every other, in turn,
// about `rounds` in all.
double AllToAllFlood(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_FLOOD_H_
