// Patterns of traffic, in rounds: a client of a rank sends the requests of a
// round one after the other, waits for all replies, and goes on with the next.
#ifndef CONDUITS_PORTALS_CREDITS_TESTING_PATTERNS_H_
#define CONDUITS_PORTALS_CREDITS_TESTING_PATTERNS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "conduits/portals/credits/testing/random.h"
#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

struct Request {
  Rank to;
  uint8_t used;  // credits
};

// Appends the requests of a rank's round.
using Pattern = std::function<void(Rank self, Rank ranks, uint64_t round,
                                   Random&, std::vector<Request>*)>;

// All other ranks send to rank 0, which sends nothing.
Pattern HotTarget(unsigned burst, uint8_t used);
// Each rank sends to the next one.
Pattern Ring(unsigned burst, uint8_t used);
// Each rank sends to its parent and its two children.
Pattern Tree(unsigned burst, uint8_t used);
// Each rank sends to its six neighbours in a torus. The number of ranks is
// split into three equal dimensions.
Pattern Ghosts(unsigned burst, uint8_t used);
// Like Ring, but the partner changes every `rounds` rounds.
Pattern Changing(uint64_t rounds, unsigned burst, uint8_t used);
// Any rank sends to any other.
Pattern Anybody(unsigned burst, uint8_t most_used);
// A round in which no rank sends.
Pattern Silence();

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TESTING_PATTERNS_H_
