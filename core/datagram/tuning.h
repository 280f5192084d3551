// Constants that tune the channels of datagrams and the messages over them.
// Options of an endpoint begin with the defaults here (channel_options.h,
// options.h).
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
// peer that computed for a second says little about the network. Reasoned, not
// measured.
inline constexpr int64_t kSampleGrace = 1'000'000;  // ns
// Time-outs in a row that still lengthen the next one. Reasoned, not measured.
inline constexpr unsigned kMostBackoff = 32;
// The least time-out of a packet: below, a peer that lost its processor for a
// moment would look like a loss. The one before there is a sample, and the
// most: several times the longest round trip of a network that works (bench
// network, with datagrams lost).
inline constexpr int64_t kMinTimeout = 1'000'000;       // ns
inline constexpr int64_t kInitialTimeout = 10'000'000;  // ns
inline constexpr int64_t kMaxTimeout = 250'000'000;     // ns
// Each time-out in a row is so many times as long as the one before (RFC 6298).
inline constexpr int64_t kBackoff = 2;
// The oldest packet is sent again, to ask, when so much more than two round
// trips have brought nothing: time for an acknowledgement that waits
// (kAckDelay) and for the peer's thread to come back from something small. A
// lost Short takes a tenth of the time that a time-out takes (bench network,
// with datagrams lost).
inline constexpr int64_t kProbeDelay = 100'000;  // ns
// An acknowledgement waits so long for a packet to ride on: a few round trips
// of a fast network. Reasoned, not measured.
inline constexpr int64_t kAckDelay = 50'000;  // ns
// A message waits at most so long for others to share its packet: about a
// round trip. Reasoned, not measured.
inline constexpr int64_t kHold = 20'000;  // ns
// A port that took nothing is asked again after this. Reasoned, not measured.
inline constexpr int64_t kPortRetry = 50'000;  // ns

// Transmissions of a packet, none acknowledged, that raise a doubt of its size.
// With the least time-outs that is after 15 ms, which a peer that computes
// costs now and then; of packets lost by chance, one in five, one in 3000 costs
// it. Reasoned, not measured.
inline constexpr unsigned kMostWhole = 5;
// Tries of a size that the network loses. Enough that losses now and then are
// no reason to give up. Reasoned, not measured.
inline constexpr uint8_t kMostTries = 8;

// While fewer packets of a lane are in flight, messages do not wait for others
// to share theirs. With one, every barrier would wait for the acknowledgement
// of the one before; with four, the rate of a flood of small puts halves (bench
// network).
inline constexpr unsigned kPromptPackets = 2;
// More packets do not wait for their window; further sends are refused.
// Reasoned, not measured.
inline constexpr unsigned kMostUnsent = 64;
// So much may arrive from a peer before an acknowledgement is sent by itself. A
// sender's window is several times as large, or the sender asks. Reasoned, not
// measured.
inline constexpr uint32_t kOwedPackets = 8;
// With so many bytes in flight acknowledgements can wait for the next poll: a
// few small packets. If they are the end of something lent, the loan ends a
// poll later (bench network).
inline constexpr uint64_t kSmallFlight = 8192;
// A peer that has sent nothing for one or two of these needs no share of the
// receive window. Many round trips, and short beside what a user notices.
// Reasoned, not measured.
inline constexpr int64_t kShareEpoch = 10'000'000;  // ns

// Memory of an endpoint. Each is a bound that a rank hardly ever reaches, and
// costs memory only as far as it is used (bench memory). None was chosen by a
// measurement. Packets in flight and waiting, to all peers:
inline constexpr size_t kPoolBytes = size_t{16} << 20;
// Packets that come in pieces, for each lane:
inline constexpr size_t kPieceBytes = size_t{512} << 10;
// A socket's capacity, where nobody says it:
inline constexpr size_t kReceiveWindowBytes = size_t{4} << 20;
// Requests that arrived while only replies may be served:
inline constexpr size_t kKeptBytes = size_t{4} << 20;
// Messages that are being put together, for each lane:
inline constexpr size_t kAssemblyBytes = size_t{8} << 20;

// Batches that are received in one step of draining: a bound where a peer goes
// on sending, since answers are sent behind it. Reasoned, not measured.
inline constexpr unsigned kDrainBatches = 8;
// Channels that may be urgent at once before memory is asked for: a list of a
// few cache lines, which grows where more are. Reasoned, not measured.
inline constexpr size_t kMostUrgent = 32;
// Polls that received something and may put the timers off: a busy rank looks
// at them in one poll of so many, late by some microseconds where they count in
// milliseconds. Reasoned, not measured.
inline constexpr unsigned kMostOverdue = 16;
// Polls of a waiting thread for each reading of the clock, which costs a fifth
// of one (bench network).
inline constexpr unsigned kLooksPerReading = 4;

// From this size on a datagram is worth a call of the port by itself: the bytes
// cost the kernel more than the call. Reasoned, not measured.
inline constexpr size_t kLargeDatagram = 16384;
// At most so many datagrams in one call of the port: as many as the kernel cuts
// from one. Reasoned, not measured.
inline constexpr size_t kMostAtOnce = 64;
// And so many bytes: the receiver works at them while the next are sealed, and
// sealed bytes are still in the cache when the port reads them (bench network,
// bulk).
inline constexpr size_t kBytesAtOnce = 64 * 1024;
// A window of fewer packets is small, and its sender asks: twice the packets
// that a receiver lets go unacknowledged. Reasoned, not measured.
inline constexpr size_t kSmallWindow = 2 * kOwedPackets;

// Messages. The largest Medium: near 64 KiB, as clients expect. The eager limit
// is what one datagram takes (path_size.h). Reasoned, not measured.
inline constexpr size_t kMaxMedium = 65536;
// The largest Long: so many datagrams, so that their transmission overlaps.
// Reasoned, not measured.
inline constexpr size_t kDatagramsOfLong = 8;
// Fragments of a message, at least: the receiver takes one in while the sender
// makes the next. Smaller ones than kLeastPiece cost more than their
// overlapping gains (bench network, bulk).
inline constexpr size_t kLeastFragments = 4;
inline constexpr size_t kLeastPiece = 32768;
// A smaller source is sooner copied than described to the port. Reasoned, not
// measured.
inline constexpr size_t kLeastLent = 8192;
// Of the requests that were kept, so many are served in a poll. Reasoned, not
// measured.
inline constexpr size_t kMostKept = 32;
// Assemblies that are kept for reuse, with their buffers: a quarter of a
// megabyte where each held the largest Medium. Reasoned, not measured.
inline constexpr size_t kMostIdle = 4;
// Small buffers of packets have so many bytes, or as many as a datagram: a
// packet of a network whose datagrams are small. Reasoned, not measured.
inline constexpr size_t kSmallBytes = 2048;
// One part in so many of the memory of packets is for small ones: bulk needs
// the bytes, small packets few. Reasoned, not measured.
inline constexpr size_t kSmallShare = 4;
// A packet takes so many bytes more of the receiver's socket buffer: the
// kernel's own structures are counted there too (struct sk_buff and its end,
// some 576 and rounding).
inline constexpr uint64_t kKernelBytes = 768;

// The socket. On loopback a datagram may be larger than any network lets it be:
// as large as fits into 64 KiB of the kernel's memory, with what it puts
// beside. There is nothing for offloads to save then. Where sockets hold fewer
// than kManyDatagrams of these it is half of that, so that several are under
// way (bench network).
inline constexpr size_t kLoopbackDatagram = 64000;
inline constexpr size_t kLoopbackDatagramOfFew = 33 * 1024;
inline constexpr size_t kManyDatagrams = 64;
// Buffers of a batch that is received, and large datagrams of one call.
// Reasoned, not measured.
inline constexpr size_t kBatchBuffers = 16;
inline constexpr size_t kMostGroups = 16;
// Receives in a row that find something before one asks for several, which
// costs more where there is only one after all. Reasoned, not measured.
inline constexpr unsigned kBusyAfter = 8;

// Tags of packets of up to so many bytes: the narrower vectors are faster
// (bench network; docs/PERFORMANCE.md).
inline constexpr size_t kSmallTag = 192;

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_TUNING_H_
