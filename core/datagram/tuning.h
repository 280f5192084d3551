// Constants that tune the channels of datagrams and the messages over them.
// They are the defaults of an endpoint's options (channel_options.h,
// options.h).
#ifndef CORE_DATAGRAM_TUNING_H_
#define CORE_DATAGRAM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::datagram {

// Congestion. The first and the least window of a sender, in packets (RFC 6928,
// RFC 5681).
inline constexpr uint32_t kInitialWindow = 16;
inline constexpr uint32_t kLeastWindow = 2;
// The number of later packets that arrive before a packet counts as overtaken
// (RFC 5681).
inline constexpr uint64_t kReorderPackets = 3;

// A sample of the round trip is capped at eight times the average plus this: a
// peer that computed for a second says little about the network. Reasoned, not
// measured.
inline constexpr int64_t kSampleGrace = 1'000'000;  // ns
// The number of time-outs in a row that still lengthen the next one. Reasoned,
// not measured.
inline constexpr unsigned kMostBackoff = 32;
// The least time-out of a packet: with a shorter one, a peer that lost its
// processor for a moment would look like a loss. The initial one, before there
// is a sample, and the largest: several times the longest round trip of a
// network that works (bench network, with datagrams lost).
inline constexpr int64_t kMinTimeout = 1'000'000;       // ns
inline constexpr int64_t kInitialTimeout = 10'000'000;  // ns
inline constexpr int64_t kMaxTimeout = 250'000'000;     // ns
// The factor by which each time-out in a row is longer than the one before (RFC
// 6298).
inline constexpr int64_t kBackoff = 2;
// The oldest packet is sent again, as a probe, if nothing arrives for two round
// trips and this. That is time for an acknowledgement that waits (kAckDelay)
// and for the peer's thread to return from something small. A lost Short takes
// a tenth of the time that a time-out takes (bench network, with datagrams
// lost).
inline constexpr int64_t kProbeDelay = 100'000;  // ns
// The longest time that an acknowledgement waits for a packet to carry it: a
// few round trips of a fast network. Reasoned, not measured.
inline constexpr int64_t kAckDelay = 50'000;  // ns
// The longest time that a message waits for others to share its packet: about a
// round trip. Reasoned, not measured.
inline constexpr int64_t kHold = 20'000;  // ns
// The time after which a port that accepted nothing is tried again. Reasoned,
// not measured.
inline constexpr int64_t kPortRetry = 50'000;  // ns

// The number of unacknowledged transmissions of a packet that raise a doubt of
// its size. With the least time-outs that is after 15 ms, which a computing
// peer causes now and then. If one packet in five is lost by chance, one in
// 3000 causes it. Reasoned, not measured.
inline constexpr unsigned kMostWhole = 5;
// The number of tries of a size that the network loses. It is large enough that
// occasional losses are no reason to give up. Reasoned, not measured.
inline constexpr uint8_t kMostTries = 8;

// While fewer packets of a lane are in flight, messages do not wait for others
// to share theirs. With one, every barrier would wait for the acknowledgement
// of the one before; with four, the rate of a flood of small puts halves (bench
// network).
inline constexpr unsigned kPromptPackets = 2;
// The most packets that wait for their window; further sends are refused.
// Reasoned, not measured.
inline constexpr unsigned kMostUnsent = 64;
// The number of packets that may arrive from a peer before an acknowledgement
// is sent by itself. A sender's window is several times as large, or the sender
// asks. Reasoned, not measured.
inline constexpr uint32_t kOwedPackets = 8;
// With at most this many bytes in flight, acknowledgements can wait for the
// next poll: a few small packets. If they end a loan, it ends a poll later
// (bench network).
inline constexpr uint64_t kSmallFlight = 8192;
// A peer that has sent nothing for one or two of these epochs needs no share of
// the receive window. An epoch is many round trips, and short beside what a
// user notices. Reasoned, not measured.
inline constexpr int64_t kShareEpoch = 10'000'000;  // ns

// Memory of an endpoint. Each is a bound that a rank hardly ever reaches, and
// costs memory only as far as it is used (bench memory). None was chosen by a
// measurement. Packets in flight and waiting, to all peers:
inline constexpr size_t kPoolBytes = size_t{16} << 20;
// Packets that arrive in pieces, for each lane:
inline constexpr size_t kPieceBytes = size_t{512} << 10;
// A socket's capacity, if it is not set:
inline constexpr size_t kReceiveWindowBytes = size_t{4} << 20;
// Requests that arrive while only replies may be served:
inline constexpr size_t kKeptBytes = size_t{4} << 20;

// The most batches that are received in one step of draining. It bounds a step
// if a peer goes on sending, since answers are sent after it. Reasoned, not
// measured.
inline constexpr unsigned kDrainBatches = 8;
// The number of channels that may be urgent at once before memory is allocated:
// a list of a few cache lines, which grows if there are more. Reasoned, not
// measured.
inline constexpr size_t kMostUrgent = 32;
// The number of polls that received something and may put the timers off. A
// busy rank serves the timers in one poll of so many, some microseconds late,
// while they count in milliseconds. Reasoned, not measured.
inline constexpr unsigned kMostOverdue = 16;
// The number of polls of a waiting thread for each reading of the clock, which
// costs a fifth of a poll (bench network).
inline constexpr unsigned kLooksPerReading = 4;

// From this size on, a datagram is worth a call of the port by itself: the
// bytes cost the kernel more than the call. Reasoned, not measured.
inline constexpr size_t kLargeDatagram = 16384;
// The most datagrams in one call of the port: as many as the kernel cuts from
// one. Reasoned, not measured.
inline constexpr size_t kMostAtOnce = 64;
// The most bytes in one call of the port. The receiver works on them while the
// next are sealed, and sealed bytes are still in the cache when the port reads
// them (bench network, bulk).
inline constexpr size_t kBytesAtOnce = 64 * 1024;
// A window of fewer packets is small, and its sender asks for acknowledgements.
// This is twice the packets that a receiver leaves unacknowledged. Reasoned,
// not measured.
inline constexpr size_t kSmallWindow = 2 * kOwedPackets;

// Messages. The eager limit of a Medium is what one datagram takes
// (path_size.h). The number of datagrams in the largest Long: so many that
// their transmission overlaps. Reasoned, not measured.
inline constexpr size_t kDatagramsOfLong = 8;
// The least number of fragments of a message: the receiver takes one in while
// the sender makes the next. Fragments smaller than kLeastPiece cost more than
// their overlap gains (bench network, bulk).
inline constexpr size_t kLeastFragments = 4;
inline constexpr size_t kLeastPiece = 32768;
// A smaller source is copied faster than it is described to the port. Reasoned,
// not measured.
inline constexpr size_t kLeastLent = 8192;
// The number of kept requests that a poll serves. Reasoned, not measured.
inline constexpr size_t kMostKept = 32;
// The bytes of a small packet buffer, unless a datagram is smaller: a packet of
// a network whose datagrams are small. Reasoned, not measured.
inline constexpr size_t kSmallBytes = 2048;
// One part in this many of the memory of packets is for small ones: bulk needs
// the bytes, and few packets are small. Reasoned, not measured.
inline constexpr size_t kSmallShare = 4;
// The bytes that a packet takes of the receiver's socket buffer beyond its own:
// the kernel's structures are counted there too (struct sk_buff and its end,
// some 576 and rounding).
inline constexpr uint64_t kKernelBytes = 768;

// The socket. On loopback a datagram may be larger than on any network: as
// large as fits into 64 KiB of the kernel's memory with the kernel's own data.
// Offloads have nothing to save there. If sockets hold fewer than
// kManyDatagrams of these, it is half of that, so that several are under way
// (bench network).
inline constexpr size_t kLoopbackDatagram = 64000;
inline constexpr size_t kLoopbackDatagramOfFew = 33 * 1024;
inline constexpr size_t kManyDatagrams = 64;
// The number of buffers of a batch that is received, and of large datagrams in
// one call. Reasoned, not measured.
inline constexpr size_t kBatchBuffers = 16;
inline constexpr size_t kMostGroups = 16;
// The number of receives in a row that find something before one asks for
// several, which costs more if there is only one after all. Reasoned, not
// measured.
inline constexpr unsigned kBusyAfter = 8;

// The most bytes of a packet whose tag is made with the narrower vectors, which
// are faster for small packets (bench network; docs/PERFORMANCE.md).
inline constexpr size_t kSmallTag = 192;

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_TUNING_H_
