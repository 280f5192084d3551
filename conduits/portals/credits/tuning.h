// Constants that tune credits. The simulation in lending_test and
// scavenging_test shows their effects. No benchmark has chosen any constant
// here: all are reasoned.
#ifndef CONDUITS_PORTALS_CREDITS_TUNING_H_
#define CONDUITS_PORTALS_CREDITS_TUNING_H_

#include <array>
#include <cstdint>

#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

// Defaults of settings (settings.h), from the notes on the original conduit:
// the most credits of a peer; the requests of an epoch; the credits that a
// lender may lend and ask back in one; the peers that are asked at once.
inline constexpr uint16_t kMaxPerNode = 400;
inline constexpr uint32_t kEpochRequests = 1024;
inline constexpr uint16_t kLentInEpoch = 256;
inline constexpr uint16_t kRevokedInEpoch = 128;
inline constexpr uint16_t kAskedAtOnce = 8;

// Credits at the start, by number of nodes: those of a peer, and those of the
// bank. A few peers get as many as they can use; many peers get as many as
// memory allows: 384 bytes a credit, 0.3 MB with two nodes, 25 MB with ten
// thousand.
struct CreditRow {
  double nodes;
  double per_node;
  double bank;
};
inline constexpr std::array kCreditRows = {
    CreditRow{2, 256, 512},   CreditRow{8, 128, 512},
    CreditRow{32, 64, 1024},  CreditRow{128, 32, 2048},
    CreditRow{512, 16, 4096}, CreditRow{1024, 12, 6144},
    CreditRow{4096, 6, 8192}, CreditRow{10000, 6, 4096},
};

// Chunks of a receive buffer. Larger buffers waste a smaller part; small jobs
// need no large ones.
inline constexpr uint32_t kFewNodes = 128;
inline constexpr uint32_t kChunksOfFew = 32;
inline constexpr uint32_t kChunksOfMany = 128;
// The fewest chunks of a buffer, one of which is lost at its end, and the
// fewest buffers, unless the serving threads need more.
inline constexpr uint32_t kMinChunks = 2;
inline constexpr uint64_t kMinBuffers = 3;

// The bank is low below this: eight of the largest loans. The lender then asks
// for credits.
inline constexpr uint32_t kLowBank = 56;

// Ranks that the scavenger looks at in one slice: some microseconds.
inline constexpr Rank kSlice = 512;

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TUNING_H_
