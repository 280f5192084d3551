// Constants that tune credits. The simulation in testing/patterns_test shows
// their effects. No benchmark has chosen any constant here: all are reasoned.
#ifndef CONDUITS_PORTALS_CREDITS_TUNING_H_
#define CONDUITS_PORTALS_CREDITS_TUNING_H_

#include <array>
#include <cstdint>

#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

// Defaults of settings (settings.h), from the notes on the original conduit:
//
// - the maximum number of credits of a peer
// - the requests of an epoch
// - the credits that a lender may lend in an epoch
// - the credits that a lender may ask back in an epoch
// - the number of peers that are asked at once
inline constexpr uint16_t kMaxPerNode = 400;
inline constexpr uint32_t kEpochRequests = 1024;
inline constexpr uint16_t kLentInEpoch = 256;
inline constexpr uint16_t kRevokedInEpoch = 128;
inline constexpr uint16_t kAskedAtOnce = 8;

// Credits at the start, by number of nodes: the credits of each peer, and the
// credits in the lender's bank. A few peers get as many as they can use. Many
// peers get as many as memory allows: a credit takes 384 bytes, which makes 0.3
// MB with two nodes and 25 MB with ten thousand.
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

// Number of chunks in a receive buffer. A larger buffer wastes a smaller part
// of its memory. Jobs of at most kFewNodes nodes need no large buffers.
inline constexpr uint32_t kFewNodes = 128;
inline constexpr uint32_t kChunksOfFew = 32;
inline constexpr uint32_t kChunksOfMany = 128;
// The minimum number of chunks of a receive buffer, whose last chunk is lost.
// The minimum number of receive buffers; more serving threads may need more.
inline constexpr uint32_t kMinChunks = 2;
inline constexpr uint64_t kMinBuffers = 3;

// A bank with fewer credits than this is low, so its lender asks peers for
// credits. The value is eight times the most that a reply can lend (7).
inline constexpr uint32_t kLowBank = 56;

// Number of ranks that the scavenger looks at in one slice, which takes some
// microseconds.
inline constexpr Rank kSlice = 512;

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TUNING_H_
