// Constants that tune transfers in pieces. settings.h has the settings of the
// environment.
#ifndef VIS_TUNING_H_
#define VIS_TUNING_H_

#include <cstddef>

namespace gasnet::vis {

// Copies. Two levels whose destinations are close together and whose sources
// are kFar apart or more, as in a transposition, are copied in squares. So the
// cache lines of the source are still in the cache when the next destination
// needs their other bytes (bench vis).
inline constexpr size_t kFar = 4096;
inline constexpr size_t kSquare = 16;

// Packets. The largest number of pieces of one block. Their data are located
// when the block is closed, so the list stays in the first-level cache. An
// estimate, not measured.
inline constexpr size_t kMaxPieces = 256;
// Runs of fewer bytes than kMinNoted are copied into the packet at once. Up
// to kMaxNoted longer runs are noted, and gathered by the link (bench vis).
inline constexpr size_t kMinNoted = 256;
inline constexpr size_t kMaxNoted = 64;
// A packet fits one datagram if that takes at least this many bytes; else it
// may be as long as the largest Medium (RoomTo). An estimate, not measured.
inline constexpr size_t kMinRoom = 4096;
// Parts of the pool of packets' memory: this many threads take packets without
// contention. An estimate, not measured.
inline constexpr size_t kPacketPoolParts = 16;

}  // namespace gasnet::vis

#endif  // VIS_TUNING_H_
