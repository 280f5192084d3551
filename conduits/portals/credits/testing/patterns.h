// Patterns of traffic, in rounds. In a round, a client of a rank sends its
// requests one after another and waits for all replies.
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
  uint8_t used;  // number of credits
};

// Appends the requests of one round of rank `self`.
using Pattern = std::function<void(Rank self, Rank ranks, uint64_t round,
                                   Random&, std::vector<Request>*)>;

// Returns a pattern in which all other ranks send to rank 0. Rank 0 sends
// nothing.
Pattern HotTarget(unsigned burst, uint8_t used);
// Returns a pattern in which each rank sends to the next rank.
Pattern Ring(unsigned burst, uint8_t used);
// Returns a pattern of a binary tree. Each rank sends to its parent and its two
// children.
Pattern Tree(unsigned burst, uint8_t used);
// Returns a pattern in a torus with three dimensions of equal size. Each rank
// sends to its six neighbours.
Pattern Ghosts(unsigned burst, uint8_t used);
// Returns a pattern like Ring(), but the partner changes every `rounds` rounds.
Pattern Changing(uint64_t rounds, unsigned burst, uint8_t used);
// Returns a pattern in which each rank sends to random other ranks.
Pattern Anybody(unsigned burst, uint8_t most_used);
// Returns a pattern in which no rank sends.
Pattern Silence();

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TESTING_PATTERNS_H_
