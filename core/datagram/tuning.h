// Constants that tune the channels of datagrams and the messages over them.
// Options of an endpoint, with their defaults, are in channel_options.h and
// options.h.
#ifndef CORE_DATAGRAM_TUNING_H_
#define CORE_DATAGRAM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::datagram {

// Congestion. The first window and the least one of a sender, in packets (RFC
// 6928, RFC 5681).
inline constexpr uint32_t kInitialWindow = 16;
inline constexpr uint32_t kLeastWindow = 2;
// Later packets that arrive before one counts as overtaken (RFC 5681).
inline constexpr uint64_t kReorderPackets = 3;

// A sample of the round trip counts at most eight times the average and this: a
// peer that computed for a second says little about the network.
inline constexpr int64_t kSampleGrace = 1'000'000;  // ns
// Time-outs in a row that still lengthen the next one. The other constants of
// time-outs are in Timing of channel_options.h (bench network, with datagrams
// lost).
inline constexpr unsigned kMostBackoff = 32;

// Transmissions of a packet, none acknowledged, that raise a doubt of its size.
// With the least time-outs that is after 15 ms, which a peer that computes
// costs now and then; of packets lost by chance, one in five, one in 3000 costs
// it.
inline constexpr unsigned kMostWhole = 5;
// Tries of a size that the network loses. Enough that losses now and then are
// no reason to give up.
inline constexpr uint8_t kMostTries = 8;

// While fewer packets of a lane are in flight, messages do not wait for others
// to share theirs. With one, every barrier would wait for the acknowledgement
// of the one before; with four, the rate of a flood of small puts halves (bench
// network).
inline constexpr unsigned kPromptPackets = 2;
// More packets do not wait for their window; further sends are refused.
inline constexpr unsigned kMostUnsent = 64;
// So much may arrive from a peer before an acknowledgement is sent by itself. A
// sender's window is several times as large, or the sender asks.
inline constexpr uint32_t kOwedPackets = 8;
// With so many bytes in flight acknowledgements can wait for the next poll: a
// few small packets. If they are the end of something lent, the loan ends a
// poll later (bench network).
inline constexpr uint64_t kSmallFlight = 8192;
// A peer that has sent nothing for one or two of these needs no share of the
// receive window.
inline constexpr int64_t kShareEpoch = 10'000'000;  // ns

// Batches that are received in one step of draining.
inline constexpr unsigned kDrainBatches = 8;
// Channels that may be urgent at once before memory is asked for.
inline constexpr size_t kMostUrgent = 32;
// Polls that received something and may put the timers off.
inline constexpr unsigned kMostOverdue = 16;
// Polls of a waiting thread for each reading of the clock, which costs a fifth
// of one (bench network).
inline constexpr unsigned kLooksPerReading = 4;

// From this size on a datagram is worth a call of the port by itself.
inline constexpr size_t kLargeDatagram = 16384;
// At most so many datagrams in one call of the port.
inline constexpr size_t kMostAtOnce = 64;
// And so many bytes: the receiver works at them while the next are sealed, and
// sealed bytes are still in the cache when the port reads them (bench network,
// bulk).
inline constexpr size_t kBytesAtOnce = 64 * 1024;
// Twice the packets that a receiver lets go unacknowledged.
inline constexpr size_t kSmallWindow = 2 * kOwedPackets;

// Messages. Smaller fragments cost more than their overlapping gains.
inline constexpr size_t kLeastPiece = 32768;
// A smaller source is sooner copied than described to the port.
inline constexpr size_t kLeastLent = 8192;
// Of the requests that were kept, so many are served in a poll.
inline constexpr size_t kMostKept = 32;
// Assemblies that are kept for reuse, with their buffers.
inline constexpr size_t kMostIdle = 4;
// Small buffers of packets have so many bytes, or as many as a datagram.
inline constexpr size_t kSmallBytes = 2048;

// The socket. On loopback a datagram may be larger than any network lets it be:
// as large as fits into 64 KiB of the kernel's memory, with what it puts
// beside. There is nothing for offloads to save then. Where sockets hold fewer
// than kManyDatagrams of these it is half of that, so that several are under
// way (bench network).
inline constexpr size_t kLoopbackDatagram = 64000;
inline constexpr size_t kLoopbackDatagramOfFew = 33 * 1024;
inline constexpr size_t kManyDatagrams = 64;
// Buffers of a batch that is received, and large datagrams of one call.
inline constexpr size_t kBatchBuffers = 16;
inline constexpr size_t kMostGroups = 16;
// Receives in a row that find something before one asks for several, which
// costs more where there is only one after all.
inline constexpr unsigned kBusyAfter = 8;

// Tags of packets of up to so many bytes: the narrower vectors are faster
// (bench network; docs/PERFORMANCE.md).
inline constexpr size_t kSmallTag = 192;

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_TUNING_H_
