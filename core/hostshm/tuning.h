// Constants that tune messages among the ranks of a host.
#ifndef CORE_HOSTSHM_TUNING_H_
#define CORE_HOSTSHM_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "core/thread/mode.h"

namespace gasnet::hostshm {

// Cells of a ring: enough to cover the time that a credit takes to come back,
// few enough to stay in the first-level cache. As many as a word has bits
// (bench pair, floods).
inline constexpr uint32_t kCells = 64;

// Memory of all rings of a host; the payload areas share it. A quarter of a
// megabyte takes a few of the largest Mediums; a page takes a Medium of the
// least size that GASNet permits, several times. Reasoned, not measured.
inline constexpr size_t kRingBudget = size_t{1} << 30;
inline constexpr size_t kLeastPayload = 4096;
inline constexpr size_t kMostPayload = 256 * 1024;

// The largest Medium, which is its eager limit, where the payload area has as
// much: near 64 KiB, as clients expect.
inline constexpr size_t kMostMedium = 65536;

// Up to so many ranks, looking at every ring is cheaper than asking which ones
// have messages (bench crowd).
inline constexpr uint32_t kDirectPollRanks = 16;

// Messages taken from one ring before the next ring gets its turn (bench pair,
// floods).
inline constexpr unsigned kBurst = 16;

// So many messages in a row without anything from the peer are a flood. In one
// the cell that lies kAhead further is fetched for writing with each message;
// more cells ahead are slower (docs/PERFORMANCE.md, bench pair).
inline constexpr uint8_t kFlood = 2;
inline constexpr uint32_t kAhead = thread::kConcurrent ? 2 : 3;

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_TUNING_H_
