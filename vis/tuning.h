// Constants that tune transfers in pieces. settings.h has the settings that the
// environment can change.
#ifndef VIS_TUNING_H_
#define VIS_TUNING_H_

#include <cstddef>

namespace gasnet::vis {

// Copies. A transposition has two levels whose destinations are close together
// and whose sources are kFar or more apart. These levels are copied in squares
// of kSquare by kSquare runs. So the cache lines of the source are still in the
// cache when the next destination needs other bytes of these lines (bench vis).
inline constexpr size_t kFar = 4096;
inline constexpr size_t kSquare = 16;

// The maximum number of pieces of one block. The data of the pieces are located
// when the block is closed. The list of pieces should still be in the
// first-level cache then. An estimate, not measured.
inline constexpr size_t kMaxPieces = 256;
// Data of fewer bytes than kMinNoted are copied into the packet at once. Up to
// kMaxNoted longer pieces of data are noted, and the link gathers them (bench
// vis).
inline constexpr size_t kMinNoted = 256;
inline constexpr size_t kMaxNoted = 64;
// If a datagram takes at least this many bytes, a packet is as long as one
// datagram. Otherwise it may be as long as the largest Medium (RoomTo). An
// estimate, not measured.
inline constexpr size_t kMinRoom = 4096;
// The number of parts of the pool of packets' memory. The same number of
// threads can take packets without contention. An estimate, not measured.
inline constexpr size_t kPacketPoolParts = 16;

}  // namespace gasnet::vis

#endif  // VIS_TUNING_H_
