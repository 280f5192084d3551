// Constants that tune transfers in pieces. settings.h has those that the
// environment sets.
#ifndef VIS_TUNING_H_
#define VIS_TUNING_H_

#include <cstddef>

namespace gasnet::vis {

// Copies. Two levels whose destinations lie close together and whose sources
// lie kFar apart or more, as in a transposition, are copied in squares. So the
// cache lines of the source are still there when the next destination needs
// their other bytes (bench vis).
inline constexpr size_t kFar = 4096;
inline constexpr size_t kSquare = 16;

// Packets. The most pieces of one block, whose data are found when it is
// closed: their list stays in the first-level cache. Reasoned, not measured.
inline constexpr size_t kMostPieces = 256;
// Runs of fewer bytes than kLeastNoted are copied into the packet at once. Up
// to kMostNoted longer ones are noted, and gathered by the link (bench vis).
inline constexpr size_t kLeastNoted = 256;
inline constexpr size_t kMostNoted = 64;
// A packet with less room left for data is closed: a sixteenth of the largest,
// for which no piece is cut in two. Reasoned, not measured.
inline constexpr size_t kLeastRoom = 4096;
// Parts of the pool of packets' memory: as many threads take packets without a
// meeting. Reasoned, not measured.
inline constexpr size_t kPacketPoolParts = 16;

}  // namespace gasnet::vis

#endif  // VIS_TUNING_H_
