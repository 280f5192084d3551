// Constants that tune messages among the ranks of a host.
#ifndef CORE_HOSTSHM_TUNING_H_
#define CORE_HOSTSHM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::hostshm {

// Cells of a ring: enough to cover the round trip of a credit, but few enough
// to stay in the first-level cache. There is one cell for each bit of a 64-bit
// word (bench pair, floods).
inline constexpr uint32_t kCells = 64;

// Credit goes back to the producer when this fraction (1/kReturns) of the
// cells, or of the bytes of the payload area, is finished. Credit then costs
// one cache line for sixteen messages, and the producer still has room.
// Reasoned, not measured.
inline constexpr uint32_t kReturns = 4;

// kRingBudget is the memory for all rings of a host. Their payload areas share
// it. kMaxPayload, a quarter of a megabyte, holds a few of the largest Mediums.
// kMinPayload, a page, holds several of the smallest maximum Medium that GASNet
// permits. Reasoned, not measured.
inline constexpr size_t kRingBudget = size_t{1} << 30;
inline constexpr size_t kMinPayload = 4096;
inline constexpr size_t kMaxPayload = 256 * 1024;

// The largest Medium, if the payload area is large enough; also the eager
// limit. Clients expect about 64 KiB. Reasoned, not measured.
inline constexpr size_t kMaxHostMedium = 65536;

// Blocks of a ring for payloads that are built in place: one block is filled
// while another is read. Blocks of the payload area are not suitable, since
// they come back in the order of their messages. A block whose message is sent
// later would delay the others.
inline constexpr uint32_t kPreparedBlocks = 2;

// Up to this number of ranks, polling every ring is cheaper than maintaining
// bits of the rings with messages (bench crowd).
inline constexpr uint32_t kDirectPollRanks = 16;

// The number of messages taken from one ring before the next ring gets its turn
// (bench pair, floods).
inline constexpr unsigned kBurst = 16;

// A flood begins after this many messages to a peer in a row, if no message
// from the peer comes in between. In a flood, each message fetches a later cell
// for writing: the cell that is kAheadOf* positions further. Fetching further
// ahead is slower (docs/PERFORMANCE.md, bench pair).
inline constexpr uint8_t kFlood = 2;
inline constexpr uint32_t kAheadOfOneThread = 3;
inline constexpr uint32_t kAheadOfThreads = 2;

// The number of polls before each search for rails that no thread polls. A poll
// that finds nothing counts as kPollsOfAnIdleOne polls. A search reads, for
// each rail, a cache line that other threads write. Reasoned, not measured.
inline constexpr uint8_t kPollsPerLookAtRails = 64;
inline constexpr uint8_t kPollsOfAnIdleOne = 4;
// The number of times that a thread must find another thread on its new rail
// before it moves again. Reasoned, not measured.
inline constexpr uint8_t kMeetingsPerMove = 200;

// The longest sleep of a thread that cannot fence, and so the longest delay of
// an event that it misses. Costs a thousand wake-ups a second, but only on
// kernels without membarrier. Reasoned, not measured.
inline constexpr int64_t kUnfencedSleepNanos = 1'000'000;

// The maximum number of proposals of an address for the segments. Ranks propose
// in turn, if none of the addresses that are probably free is free. Each
// proposal costs an exchange among all ranks at the start of the job. One
// usually suffices. Reasoned, not measured.
inline constexpr uint32_t kMaxProposals = 16;

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_TUNING_H_
