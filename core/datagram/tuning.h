// Constants that tune the channels of datagrams and the messages that use them.
// They are the defaults of an endpoint's options (channel_options.h,
// options.h).
#ifndef CORE_DATAGRAM_TUNING_H_
#define CORE_DATAGRAM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::datagram {

// Congestion control: the first and the smallest window of a sender, in packets
// (RFC 6928, RFC 5681).
inline constexpr uint32_t kInitialWindow = 16;
inline constexpr uint32_t kMinWindow = 2;
// The number of later packets that must arrive before a packet counts as
// overtaken (RFC 5681).
inline constexpr uint64_t kReorderPackets = 3;

// A round-trip sample is capped at eight times the average plus this constant:
// a peer that computed for a second says little about the network. Reasoned,
// not measured.
inline constexpr int64_t kSampleGrace = 1'000'000;  // ns
// The maximum number of timeouts in a row that lengthen the next timeout.
// Reasoned, not measured.
inline constexpr unsigned kMaxBackoff = 32;
// Timeouts of a packet. kMinTimeout is the smallest. With a shorter one, a
// packet would count as lost if the peer lost its processor for a moment.
// kInitialTimeout is used before there is a sample. kMaxTimeout is several
// times the longest round trip of a working network (bench network, with
// datagrams lost).
inline constexpr int64_t kMinTimeout = 1'000'000;       // ns
inline constexpr int64_t kInitialTimeout = 10'000'000;  // ns
inline constexpr int64_t kMaxTimeout = 250'000'000;     // ns
// The factor between timeouts in a row (RFC 6298).
inline constexpr int64_t kBackoff = 2;
// If nothing arrives for two round trips plus this time, the oldest packet is
// repeated as a probe. The time is enough for a delayed acknowledgement
// (kAckDelay) and for the peer's thread to return from a short task. A lost
// Short is repeated after a tenth of a timeout (bench network, with datagrams
// lost).
inline constexpr int64_t kProbeDelay = 100'000;  // ns
// The longest time that an acknowledgement waits for a packet to carry it. It
// is a few round trips of a fast network. Reasoned, not measured.
inline constexpr int64_t kAckDelay = 50'000;  // ns
// The longest time that a message waits for others to share its packet. It is
// about a round trip. Reasoned, not measured.
inline constexpr int64_t kHold = 20'000;  // ns
// The time after which the port is tried again if it accepted nothing.
// Reasoned, not measured.
inline constexpr int64_t kPortRetry = 50'000;  // ns

// The number of unacknowledged transmissions of a packet that raise a doubt
// about its size. With the smallest timeouts these transmissions take 15 ms. A
// peer sometimes computes for so long. If one packet in five is lost at random,
// one packet in 3000 raises a doubt. Reasoned, not measured.
inline constexpr unsigned kMaxWhole = 5;
// The number of lost tries of a size before the size is given up. The number is
// so large that occasional losses do not end the tries. Reasoned, not measured.
inline constexpr uint8_t kMaxTries = 8;

// If fewer packets of a lane are in flight than this, messages do not wait to
// share a packet. If the number were one, every barrier would wait for the
// acknowledgement of the previous barrier. If it were four, the rate of a flood
// of small puts would halve (bench network).
inline constexpr unsigned kPromptPackets = 2;
// The maximum number of packets that wait for room in the window. Beyond that,
// sends are refused. Reasoned, not measured.
inline constexpr unsigned kMaxUnsent = 64;
// The number of packets that may arrive from a peer before a packet with only
// an acknowledgement is sent. A sender's window is several times as large, or
// the sender asks for acknowledgements. Reasoned, not measured.
inline constexpr uint32_t kOwedPackets = 8;
// If at most this many bytes are in flight (a few small packets),
// acknowledgements can wait for the next poll. A loan that a waiting
// acknowledgement ends then ends one poll later (bench network).
inline constexpr uint64_t kSmallFlight = 8192;
// The length of an epoch. A peer that has sent nothing for one or two epochs
// needs no share of the receive window. An epoch is many round trips, and short
// on a human scale. Reasoned, not measured.
inline constexpr int64_t kShareEpoch = 10'000'000;  // ns

// Memory of an endpoint. Each constant is a limit that a rank hardly ever
// reaches, and only used memory costs anything (bench memory). None was chosen
// by a measurement.
//
// kPoolBytes is for packets in flight and waiting packets, to all peers.
inline constexpr size_t kPoolBytes = size_t{16} << 20;
// Memory for packets that arrive in pieces, for each lane.
inline constexpr size_t kPieceBytes = size_t{512} << 10;
// The capacity of a socket's receive buffer, unless an option sets it.
inline constexpr size_t kReceiveWindowBytes = size_t{4} << 20;
// Memory for requests that arrive while only replies may be served.
inline constexpr size_t kKeptBytes = size_t{4} << 20;

// The maximum number of batches that are received in one step of draining.
// Answers are sent after the step, so a step must end soon even if a peer
// continues to send. Reasoned, not measured.
inline constexpr unsigned kDrainBatches = 8;
// The number of channels that may be urgent before memory is allocated. The
// list takes a few cache lines, and grows if necessary. Reasoned, not measured.
inline constexpr size_t kMaxUrgent = 32;
// The number of polls with an arrival that may put the timers off. A busy rank
// serves the timers in one of this many polls. That delays the timers by some
// microseconds, but they are set for milliseconds. Reasoned, not measured.
inline constexpr unsigned kMaxOverdue = 16;
// The number of polls of a waiting thread between two readings of the clock. A
// reading costs a fifth of a poll (bench network).
inline constexpr unsigned kLooksPerReading = 4;

// The smallest size of a datagram that has its own call of the port: its bytes
// cost the kernel more than the call. Reasoned, not measured.
inline constexpr size_t kLargeDatagram = 16384;
// The maximum number of datagrams in one call of the port. The kernel splits a
// large datagram into at most as many. Reasoned, not measured.
inline constexpr size_t kMaxAtOnce = 64;
// The maximum number of bytes in one call of the port. The receiver works on
// them while the next bytes are sealed. Sealed bytes are still in the cache
// when the port reads them (bench network, bulk).
inline constexpr size_t kBytesAtOnce = 64 * 1024;
// A window of fewer packets than this is small: its sender asks for
// acknowledgements. The number is twice that of the packets that a receiver
// leaves unacknowledged. Reasoned, not measured.
inline constexpr size_t kSmallWindow = 2 * kOwedPackets;

// Constants of messages. The eager limit of a Medium is the capacity of one
// datagram (path_size.h). kDatagramsOfLong is the number of datagrams in the
// largest Long, enough for their transmissions to overlap. Reasoned, not
// measured.
inline constexpr size_t kDatagramsOfLong = 8;
// The minimum number of fragments of a message. The receiver processes one
// while the sender makes the next. Fragments smaller than kMinPiece cost more
// than this overlap gains (bench network, bulk).
inline constexpr size_t kMinFragments = 4;
inline constexpr size_t kMinPiece = 32768;
// The smallest size of a source that is lent. To copy a smaller source is
// faster than to describe it to the port. Reasoned, not measured.
inline constexpr size_t kMinLent = 8192;
// The number of kept requests that a poll serves. Reasoned, not measured.
inline constexpr size_t kMaxKept = 32;
// The size of a small packet buffer in bytes, or less if datagrams are smaller.
// A buffer holds a packet of a network with small datagrams. Reasoned, not
// measured.
inline constexpr size_t kSmallBytes = 2048;
// One part in this many of the packet memory is for small packets. Bulk data
// needs the rest, and few packets are small. Reasoned, not measured.
inline constexpr size_t kSmallShare = 4;
// The bytes that the kernel adds to a packet in the receiver's socket buffer:
// struct sk_buff and the structure at the packet's end, some 576 bytes, and
// rounding.
inline constexpr uint64_t kKernelBytes = 768;

// Datagrams of a socket on loopback. kLoopbackDatagram is larger than on any
// network, but fits into 64 KiB of the kernel's memory with the kernel's own
// data. Offloads save nothing on loopback. If sockets hold fewer than
// kManyDatagrams of these datagrams, kLoopbackDatagramOfFew is used, so that
// several are in flight (bench network).
inline constexpr size_t kLoopbackDatagram = 64000;
inline constexpr size_t kLoopbackDatagramOfFew = 33 * 1024;
inline constexpr size_t kManyDatagrams = 64;
// kBatchBuffers is the number of buffers of a received batch. kMaxGroups is the
// maximum number of large datagrams in one sending call. Reasoned, not
// measured.
inline constexpr size_t kBatchBuffers = 16;
inline constexpr size_t kMaxGroups = 16;
// The number of successful receives in a row before a receive asks for several
// datagrams. Such a receive costs more if only one datagram has arrived.
// Reasoned, not measured.
inline constexpr unsigned kBusyAfter = 8;

// The size in bytes of the largest packet whose tag is made with narrower
// vectors. Narrower vectors are faster for small packets (bench network;
// docs/PERFORMANCE.md).
inline constexpr size_t kSmallTag = 192;

// The size in bytes of the smallest packet whose tag Gmac makes, where it is
// used (gmac.h; docs/PERFORMANCE.md).
inline constexpr size_t kMinGmac = 256;

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_TUNING_H_
