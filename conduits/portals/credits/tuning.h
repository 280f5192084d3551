// Constants that tune credits. The simulation in testing/patterns_test shows
// their effects. All constants are reasoned. No benchmark has chosen them.
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
// credits in the lender's bank. In a small job, each peer gets as many credits
// as it can use. In a large job, memory is the limit. A credit takes 384 bytes:
// 0.3 MB with two nodes, and 25 MB with ten thousand.
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

// The number of chunks in a receive buffer. One chunk of a buffer is lost, so a
// larger buffer wastes a smaller share of its memory. Jobs of at most kFewNodes
// nodes need no large buffers.
inline constexpr uint32_t kFewNodes = 128;
inline constexpr uint32_t kChunksOfFew = 32;
inline constexpr uint32_t kChunksOfMany = 128;
// kMinChunks is the minimum number of chunks of a receive buffer. The last
// chunk is lost. kMinBuffers is the minimum number of receive buffers. More
// serving threads may need more buffers.
inline constexpr uint32_t kMinChunks = 2;
inline constexpr uint64_t kMinBuffers = 3;

// A bank with fewer credits than this is low. Its lender then asks peers for
// credits. The value is eight times the maximum that a reply can lend (7).
inline constexpr uint32_t kLowBank = 56;

// The number of ranks that the scavenger looks at in one slice. A slice takes
// some microseconds.
inline constexpr Rank kSlice = 512;

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TUNING_H_
