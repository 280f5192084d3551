// Constants that tune collectives. They are the initial values of CollSettings
// (settings.h). The environment and a loaded tuning state can replace these
// values. All nodes of a job have equal values. "(bench coll)" means that rows
// of `./dev bench coll` measure the value. Other values are only reasoned.
#ifndef COLL_TUNING_H_
#define COLL_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "core/am/tuning.h"
#include "core/rank.h"

namespace gasnet::coll {

// The maximum sizes, in bytes, of eager parts. An eager part travels in one
// message. A larger part needs a rendezvous.
//
// - kEagerNear: between near nodes. These map each other's segments. A
//   rendezvous between them costs two more cache lines and saves a copy.
// - kEagerFar: between nodes that are not near. A rendezvous between them
//   costs a round trip. Among 4 ranks over udp, eager slices of 16 KiB take
//   half the time of a rendezvous. Eager parts of 64 KiB are faster only for
//   some operations, and the window would need four times the memory (bench
//   coll).
inline constexpr size_t kEagerNear = 2048;
inline constexpr size_t kEagerFar = 16 * 1024;
// The minimum and maximum sizes, in bytes, of parts that are pushed among near
// nodes if all nodes send at once. From 4 to 128 KiB, copying by the sender is
// 15 to 30 % faster than copying by the receiver. From 256 KiB on there is no
// difference (bench coll).
inline constexpr size_t kPushFrom = kEagerNear + 1;
inline constexpr size_t kPushTo = 128 * 1024;
// The maximum size, in bytes, of a piece of a part. Small pieces let a sender
// serve all its peers in turn (bench coll).
inline constexpr size_t kLargestPiece = 256 * 1024;

// Algorithms.
//
// The maximum size, in bytes, of contributions that are sent whole to the node
// that combines them. Slices of larger contributions save more time than their
// additional phase costs (bench coll).
inline constexpr size_t kFlatReduce = 1024;
// The minimum size, in bytes, of a slice if nodes outnumber processors. Shorter
// data is cut into fewer slices than there are nodes. Each slice costs every
// node a message and an answer. The processors cannot combine more slices at
// once than there are processors.
//
// With 16 ranks on two processors, 64 KiB in two slices take 0.72 to 0.78 of
// the time. 1 MiB in two slices takes longer: the sources of its larger slices
// do not fit into a second-level cache (bench coll).
inline constexpr size_t kSliceInCrowd = 64 * 1024;
// The maximum numbers of nodes that send to all others at once. kFlatFar is
// smaller, because a message to a far node costs its sender more. Only 4 and 16
// nodes were measured (bench coll).
inline constexpr size_t kFlatFar = 8;
inline constexpr size_t kFlatNear = 16;
// The maximum number of far nodes that all notify each other in a meeting. More
// nodes meet in rounds. If all of four nodes notify each other, each sends
// three messages and waits for one latency. In rounds, each would send two
// messages and wait for two latencies. Reasoned, not measured.
inline constexpr Rank kMeetFar = 4;
// The minimum number of near nodes that pass small prefixes along a chain,
// unless they are a crowd (kCentralFrom). A chain takes n - 1 messages instead
// of n * (n - 1) / 2. But these go one after another, so fewer nodes are faster
// with direct messages (bench coll, 4 and 16 ranks).
inline constexpr size_t kChainFrom = 5;
// Pipelined broadcasts between hosts.
//
// - kSegment: the size of a segment in bytes. On loopback a segment is one
//   datagram. On real networks, sending a segment costs several times as much
//   as the fixed cost of a packet.
// - kMaxSegments: the maximum number of segments. Each segment is a part with
//   its own bookkeeping. At the end of a pipeline only some hosts work. With
//   64 segments this end is short enough.
//
// Reasoned, not measured.
inline constexpr size_t kSegment = 64 * 1024;
inline constexpr size_t kMaxSegments = 64;
// The minimum size, in bytes, of blocks that a gather_all between hosts passes
// around a ring. A host then gets each block only once. If blocks are smaller,
// the number of messages matters more than the number of bytes (bench coll, 4
// ranks over udp).
inline constexpr size_t kRingFrom = 4097;
// The maximum sizes, in bytes, for which data travels in rounds if there are
// too many nodes for direct messages. kRoundsGather limits the total size of
// all blocks of a gather_all, kRoundsExchange the size of each block of an
// exchange. Rounds send each block of an exchange several times, but each block
// of a gather_all once. Reasoned, not measured.
inline constexpr size_t kRoundsGather = 64 * 1024;
inline constexpr size_t kRoundsExchange = 256;
// The maximum total size, in bytes, of a host's blocks in a scatter or gather
// that go through the host's leader. One message between hosts then replaces
// one message per node. But the leader copies every byte once more, and the
// blocks take one more step within the host. Large blocks gain nothing. If a
// host has two or more blocks of this total, each is eager within the host.
// Reasoned, not measured.
inline constexpr size_t kLeaders = 2 * kEagerNear;
// The minimum number of nodes of a crowd. In a crowd, nodes share memory and
// outnumber the processors. Their meetings, and small parts from all nodes to
// all nodes, go through one node, the center. This takes one step more than
// direct messages between all nodes, but n times fewer messages. Rounds take
// more steps, and every node needs a turn on a processor for each round.
//
// On two processors, compared with direct messages, 4 nodes take 1.35 times the
// time, 8 nodes the same time, and 16 nodes 0.55 to 0.9 of it. Compared with
// rounds, 32 and 64 nodes take a third of the time.
//
// Exchanges go through the center if all blocks of a node fit in one eager
// message. Peers that run ahead send the center one message for each operation
// of the window. With 16 nodes, compared with direct messages, exchanges take
// the same time for blocks of 8 B, 0.8 of it from 128 B to 1 KiB, and 1.2 times
// as long for 4 KiB.
//
// Prefixes of 16 nodes in rounds take 0.45 of a chain's time if they run one by
// one, and 3 times its time if they run back to back (bench coll, rows of 4 and
// 16 nodes).
inline constexpr size_t kCentralFrom = 12;
// The latency of the LogP model, in units of the time that a message keeps its
// sender busy. It is 0.3 to 0.9 for datagrams on one machine (bench coll).
inline constexpr uint32_t kLatency = 1;

// Operations under way.
//
// The maximum number of operations of a team that may be live on a node. It
// limits how far ahead the node's peers may send. A node sends peers its base
// (window.h) once per half window, so a smaller window costs more messages.
// Must be a power of two. Reasoned, not measured.
inline constexpr uint32_t kWindow = 32;
// The maximum number of nodes of a team whose small operations may complete
// within the call that begins them. Reasoned, not measured.
inline constexpr Rank kMaxNodesAtOnce = kFlatNear;
// The maximum number of polls for missing messages by a call that may complete
// its operation. Together these polls take one or two microseconds: enough time
// for the answer of a peer that is in the same call. If ranks share processors,
// each poll yields the processor, so the polls take several time slices (bench
// coll).
inline constexpr unsigned kMaxLooks = 64;
// One of this many polls serves all arrived messages. Each of the remaining
// polls stops at a message for an operation that this node begins later, and
// leaves later messages in the network. Reasoned, not measured.
inline constexpr unsigned kLooksPerService = 8;
// The age at which a node's oldest operation seems stuck. The node then sends
// inquiries to the nodes that it waits for, to compare their calls with its
// own. The age is long compared with the usual delays of late nodes, and short
// compared with a person's patience. Reasoned, not measured.
inline constexpr int64_t kPatience = 100'000'000;  // ns
// The maximum sleep, in nanoseconds, of a thread whose node has collectives
// under way. It is much shorter than kPatience, because the thread reads the
// clock only in some of its turns. Reasoned, not measured.
inline constexpr int64_t kLongestSleep = kPatience / 8;
// A waiting thread reads the clock in one of this many turns. A wait that spins
// has many turns, so reading costs little. A wait that sleeps has two turns per
// wake-up. Reasoned, not measured.
inline constexpr uint32_t kDrivesPerClock = 16;
// The time for which the progress thread keeps serving after this node's last
// operation. Peers may still need its answers. The time is four times the
// maximum retransmission timeout of a datagram
// (core/datagram/channel_options.h). Reasoned, not measured.
inline constexpr int64_t kLinger = 1'000'000'000;  // ns

// Memory.
//
// The maximum size, in bytes, of a payload that is stored in its envelope.
// Payloads up to this size are copied without a function call. Reasoned, not
// measured.
inline constexpr size_t kInline = am::kMaxSmall;
// The maximum number of bytes that an idle operation record keeps for its next
// operation. Moving larger data takes longer than allocating
// memory. Reasoned, not measured.
inline constexpr size_t kMaxKept = size_t{1} << 20;
// The number of bytes of a result that are combined at a time. A chunk of this
// size fits into a first-level cache together with its sources (bench coll).
inline constexpr size_t kChunk = 4096;

}  // namespace gasnet::coll

#endif  // COLL_TUNING_H_
