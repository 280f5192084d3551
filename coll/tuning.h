// Constants that tune collectives. The initial values of Settings (settings.h)
// are defaults; the environment and a loaded tuning state replace them. All
// nodes of a job have the same values. "bench coll" names rows of `./dev bench
// coll`.
#ifndef COLL_TUNING_H_
#define COLL_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "core/am/tuning.h"
#include "core/rank.h"

namespace gasnet::coll {

// The largest eager parts, which travel in one message with their bytes.
// kEagerNear: between near nodes, which map each other's segments; there a
// rendezvous costs two more cache lines and saves a copy. kEagerFar: between
// others; there a rendezvous costs a round trip. Among 4 ranks over udp, eager
// slices of 16 KiB take half the time of a rendezvous. Eager parts of 64 KiB
// are faster or slower depending on the operation, and the window would need
// four times the memory (bench coll).
inline constexpr size_t kEagerNear = 2048;
inline constexpr size_t kEagerFar = 16 * 1024;
// The sizes of parts that are pushed among near nodes that all send at once.
// From 4 to 128 KiB the sender's copy is 15 to 30 % faster than the receiver's;
// from 256 KiB on there is no difference (bench coll).
inline constexpr size_t kPushFrom = kEagerNear + 1;
inline constexpr size_t kPushTo = 128 * 1024;
// The largest piece of a part. The limit lets all peers get their pieces in
// turn (bench coll).
inline constexpr size_t kLargestPiece = 256 * 1024;

// Algorithms.
//
// The largest contributions, in bytes, that go whole to the node that combines
// them. Above that, slices save more than their second phase costs (bench
// coll).
inline constexpr size_t kFlatReduce = 1024;
// The smallest slice, in bytes, if nodes outnumber processors; data too short
// for a slice per node is cut into fewer slices. Each slice costs every node a
// message and an answer, and all nodes share the same processors anyway. With
// 16 ranks on two processors, 64 KiB in two slices take 0.72 to 0.78 of the
// time. 1 MiB in two slices takes longer, since a second-level cache holds the
// sources of a slice of only 64 KiB (bench coll).
inline constexpr size_t kSliceInCrowd = 64 * 1024;
// The largest numbers of nodes that all send to all at once. The number is
// smaller for far nodes, since each message costs its sender more. Measured
// with 4 and 16 only (bench coll).
inline constexpr size_t kFlatFar = 8;
inline constexpr size_t kFlatNear = 16;
// The largest number of far nodes that all notify each other in a meeting; more
// nodes meet in rounds. With four nodes each sends three messages and waits one
// latency, instead of two messages and two latencies. Reasoned, not measured.
inline constexpr Rank kMeetFar = 4;
// The smallest number of near nodes, not in a crowd, that pass small prefixes
// along a chain. It takes n - 1 messages instead of n * (n - 1) / 2. But it has
// as many steps as messages, so fewer nodes are faster without a chain (bench
// coll, 4 and 16 ranks).
inline constexpr size_t kChainFrom = 5;
// Pipelined broadcasts between hosts. kSegment: the size of a segment in bytes.
// It is one datagram on loopback. On other networks it outweighs the cost of a
// packet several times. kMaxSegments: the largest number of segments. Each is
// a part with its own bookkeeping, and the tail of a pipeline of 64 is already
// short. Reasoned, not measured.
inline constexpr size_t kSegment = 64 * 1024;
inline constexpr size_t kMaxSegments = 64;
// The smallest blocks, in bytes, of a gather_all between hosts that go round a
// ring, so that a host gets each block once. The number of messages matters
// more than their bytes if blocks are smaller (bench coll, 4 ranks over udp).
inline constexpr size_t kRingFrom = 4097;
// The largest sizes in bytes that go in rounds, if there are too many nodes to
// send all to all: all blocks of a gather_all together, and each block of an
// exchange. The blocks of an exchange travel several times, those of a
// gather_all once. Reasoned, not measured.
inline constexpr size_t kRoundsGather = 64 * 1024;
inline constexpr size_t kRoundsExchange = 256;
// The largest total size in bytes of a host's blocks in a scatter or gather
// that go through its leader: one message between hosts instead of one for each
// node. The leader copies every byte once more and adds a step within the host,
// so large blocks gain nothing. If a host has two or more such blocks, each is
// eager within the host too. Reasoned, not measured.
inline constexpr size_t kLeaders = 2 * kEagerNear;
// The smallest crowd: nodes that share memory and have fewer processors. In a
// crowd, meetings and small parts from all to all go through one node, the
// center. That takes one step more than all to all, with n times fewer
// messages. It takes fewer steps than rounds, and each round needs a turn of
// every node.
//
// On two processors, compared with all to all, 4 nodes take 1.35 times the
// time, 8 the same time, 16 take 0.55 to 0.9 of it. Compared with rounds, 32
// and 64 nodes take a third of the time.
//
// Exchanges go through the center if all blocks of a node fit in one eager
// message. Peers that run ahead send the center one message for each operation
// of the window. With 16 nodes exchanges take the same time for blocks of 8 B,
// 0.8 of it from 128 B to 1 KiB, and 1.2 for 4 KiB. Prefixes of 16 nodes take
// 0.45 of a chain's time one by one, and 3 times its time back to back (bench
// coll, which has rows of 4 and 16).
inline constexpr size_t kCentralFrom = 12;
// The latency of the LogP model, in units of the time that a message keeps its
// sender busy. It is 0.3 to 0.9 for datagrams on one machine (bench coll).
inline constexpr uint32_t kLatency = 1;

// Operations under way.
//
// The number of operations of a team that may be live on a node. It limits how
// far ahead its peers may send. A base is sent for each half of it, so a
// smaller window costs messages. A power of two. Reasoned, not measured.
inline constexpr uint32_t kWindow = 32;
// The largest teams, in nodes, with small operations that may complete within
// their call: as many nodes as send all to all at once. Reasoned, not measured.
inline constexpr Rank kMaxNodesAtOnce = kFlatNear;
// The number of times that such a call polls for missing messages. It amounts
// to a microsecond or two, enough for the answer of a peer in the same call. If
// ranks share processors, it amounts to some turns of all others (bench coll).
inline constexpr unsigned kMaxLooks = 64;
// One of this many polls serves all arrived messages, including those of
// operations that this node begins later; other messages may wait behind these.
// Reasoned, not measured.
inline constexpr unsigned kLooksPerService = 8;
// The age at which the oldest operation's terms are compared with those of the
// nodes that it waits for. It is long compared with usual delays of late nodes,
// and short compared with a person's patience. Reasoned, not measured.
inline constexpr int64_t kPatience = 100'000'000;  // ns
// The longest sleep of a thread of a node with collectives under way, before
// its next turns. One turn in several reads the clock. Reasoned, not measured.
inline constexpr int64_t kLongestSleep = kPatience / 8;
// The clock is read in one of this many turns of a wait. That costs a spinning
// wait little; a sleeping wait has two turns each time that it wakes. Reasoned,
// not measured.
inline constexpr uint32_t kDrivesPerClock = 16;
// The time that the progress thread goes on serving once nothing is under way
// here, since peers may lack their answers. It is four times the longest
// retransmission time-out of a datagram (core/datagram/channel_options.h). Most
// time-outs are much shorter. Reasoned, not measured.
inline constexpr int64_t kLinger = 1'000'000'000;  // ns

// Memory.
//
// The largest payload in bytes that is stored in its envelope; it is copied
// without a call. Reasoned, not measured.
inline constexpr size_t kInline = am::kMaxSmall;
// The most bytes that an idle operation record keeps for the next operation.
// Moving more data takes longer than allocating the memory. Reasoned, not
// measured.
inline constexpr size_t kMaxKept = size_t{1} << 20;
// The bytes of a result that are combined at a time: they fit into a
// first-level cache together with their sources (bench coll).
inline constexpr size_t kChunk = 4096;

}  // namespace gasnet::coll

#endif  // COLL_TUNING_H_
