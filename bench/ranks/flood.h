// Floods of messages. The client's handlers send no replies. The measured time
// ends when the receiver reports that it has handled the last message.
#ifndef BENCH_RANKS_FLOOD_H_
#define BENCH_RANKS_FLOOD_H_

#include <cstddef>
#include <cstdint>

#include "bench/ranks/ranks.h"

namespace gasnet::bench {

void AddFloodHandlers(HandlerTable& table);

// Functions of type Measure (row.h). Return nanoseconds per message from rank 0
// to rank 1.
double ShortFlood(size_t size, uint64_t rounds);
double MediumFlood(size_t size, uint64_t rounds);

// Returns nanoseconds per Medium while every rank sends to every other rank in
// turn. All ranks together send about `rounds` messages.
double AllToAllFlood(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_FLOOD_H_
