// Constants that tune collectives. They are the initial values of Settings
// (settings.h). The environment and a loaded tuning state can replace these
// values. All nodes of a job have the same values. "(bench coll)" means that
// rows of `./dev bench coll` measure the value.
#ifndef COLL_TUNING_H_
#define COLL_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "core/am/tuning.h"
#include "core/rank.h"

namespace gasnet::coll {

// The maximum sizes, in bytes, of eager parts. An eager part travels in one
// message.
//
// - kEagerNear: between near nodes, which map each other's segments. A
//   rendezvous between them costs two more cache lines and saves a copy.
// - kEagerFar: between other nodes. A rendezvous between them costs a round
//   trip. Among 4 ranks over udp, eager slices of 16 KiB take half the time of
//   a rendezvous. Eager parts of 64 KiB are faster or slower depending on the
//   operation, and the window would need four times the memory (bench coll).
inline constexpr size_t kEagerNear = 2048;
inline constexpr size_t kEagerFar = 16 * 1024;
// The smallest and largest sizes, in bytes, of parts that are pushed among near
// nodes if all nodes send at once. From 4 to 128 KiB the sender's copy is 15 to
// 30 % faster than the receiver's. From 256 KiB on there is no difference
// (bench coll).
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
// The minimum size, in bytes, of a slice if nodes outnumber processors. Data
// that is too short for one slice per node is cut into fewer slices. Each slice
// costs every node a message and an answer, and more slices than processors
// cannot be combined at once anyway. With 16 ranks on two processors, 64 KiB in
// two slices take 0.72 to 0.78 of the time. 1 MiB in two slices takes longer,
// because the sources of a slice of 64 KiB fit into a second-level cache and
// those of larger slices do not (bench coll).
inline constexpr size_t kSliceInCrowd = 64 * 1024;
// The maximum numbers of nodes among which every node sends to all others at
// once. kFlatFar is smaller, because a message to a far node costs its sender
// more. Only 4 and 16 nodes were measured (bench coll).
inline constexpr size_t kFlatFar = 8;
inline constexpr size_t kFlatNear = 16;
// The maximum number of far nodes that all notify each other in a meeting; more
// nodes meet in rounds. With four nodes, each sends three messages and waits
// for one latency. In rounds, each would send two messages and wait for two
// latencies. Reasoned, not measured.
inline constexpr Rank kMeetFar = 4;
// The minimum number of near nodes, not in a crowd, that pass small prefixes
// along a chain. A chain takes n - 1 messages instead of n * (n - 1) / 2. But
// its messages go one after the other, so with fewer nodes direct messages are
// faster (bench coll, 4 and 16 ranks).
inline constexpr size_t kChainFrom = 5;
// Pipelined broadcasts between hosts.
//
// - kSegment: the size of a segment in bytes. On loopback it is one datagram.
//   On other networks sending it costs several times as much as the fixed
//   cost of a packet.
// - kMaxSegments: the maximum number of segments. Each segment is a part with
//   its own bookkeeping. At the end of a pipeline only some hosts work; with
//   64 segments that time is already short.
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
// too many nodes for direct messages. kRoundsGather is the size of all blocks
// of a gather_all together, kRoundsExchange that of each block of an exchange.
// In the rounds of an exchange a block travels several times, in those of a
// gather_all once. Reasoned, not measured.
inline constexpr size_t kRoundsGather = 64 * 1024;
inline constexpr size_t kRoundsExchange = 256;
// The maximum total size, in bytes, of a host's blocks in a scatter or gather
// that go through the host's leader. One message between hosts then replaces
// one message per node. The leader copies every byte once more, and the blocks
// take a further step within the host, so large blocks gain nothing. If a host
// has two or more such blocks, each is also eager within the host. Reasoned,
// not measured.
inline constexpr size_t kLeaders = 2 * kEagerNear;
// The minimum number of nodes of a crowd. In a crowd, nodes share memory and
// outnumber the processors. Meetings and small parts from all nodes to all go
// through one node, the center. This takes one step more than direct messages
// between all nodes, but n times fewer messages. It takes fewer steps than
// rounds, in which every node needs a turn on a processor for each round.
//
// On two processors, compared with direct messages, 4 nodes take 1.35 times the
// time, 8 nodes the same time, and 16 nodes 0.55 to 0.9 of it. Compared with
// rounds, 32 and 64 nodes take a third of the time.
//
// Exchanges go through the center if all blocks of a node fit in one eager
// message. Peers that run ahead send the center one message for each operation
// of the window. With 16 nodes, compared with direct messages, exchanges take
// the same time for blocks of 8 B, 0.8 of it from 128 B to 1 KiB, and 1.2 times
// as long for 4 KiB. Prefixes of 16 nodes in rounds take 0.45 of a chain's time
// if they run one by one, and 3 times its time if they run back to back (bench
// coll, which has rows of 4 and 16).
inline constexpr size_t kCentralFrom = 12;
// The latency of the LogP model, in units of the time that a message keeps its
// sender busy. It is 0.3 to 0.9 for datagrams on one machine (bench coll).
inline constexpr uint32_t kLatency = 1;

// Operations under way.
//
// The maximum number of operations of a team that may be live on a node. It
// limits how far ahead the node's peers may send. A node sends its base for
// each half window, so a smaller window costs messages. Must be a power of two.
// Reasoned, not measured.
inline constexpr uint32_t kWindow = 32;
// The maximum number of nodes of a team whose small operations may complete
// within the call that begins them. It equals the number of near nodes that
// send to all others at once. Reasoned, not measured.
inline constexpr Rank kMaxNodesAtOnce = kFlatNear;
// The maximum number of polls for missing messages by a call that is allowed to
// complete its operation. All these polls take a microsecond or two. In that
// time a peer that is in the same call can answer. If ranks share processors,
// each poll yields, so all the polls take several time slices (bench coll).
inline constexpr unsigned kMaxLooks = 64;
// One of this many polls serves all arrived messages. The other polls skip
// messages for operations that this node begins later, and leave the messages
// behind them in the network too. Reasoned, not measured.
inline constexpr unsigned kLooksPerService = 8;
// The age at which a node's oldest operation seems stuck. The node then
// compares its call with the calls of the nodes that it waits for. The age is
// long compared with the usual delays of late nodes, and short compared with a
// person's patience. Reasoned, not measured.
inline constexpr int64_t kPatience = 100'000'000;  // ns
// The maximum sleep, in nanoseconds, of a thread whose node has collectives
// under way. It is much shorter than kPatience, because only some of the
// thread's turns read the clock. Reasoned, not measured.
inline constexpr int64_t kLongestSleep = kPatience / 8;
// The clock is read in one of this many turns of a wait. That costs little in a
// wait that spins. A wait that sleeps has two turns each time that it wakes.
// Reasoned, not measured.
inline constexpr uint32_t kDrivesPerClock = 16;
// The time for which the progress thread keeps serving after the last operation
// of this node is over, because peers may still need its answers. It is four
// times the maximum retransmission timeout of a datagram
// (core/datagram/channel_options.h). Most timeouts are much shorter. Reasoned,
// not measured.
inline constexpr int64_t kLinger = 1'000'000'000;  // ns

// Memory.
//
// The maximum size, in bytes, of a payload that is stored in its envelope.
// Payloads up to this size are copied without a function call. Reasoned, not
// measured.
inline constexpr size_t kInline = am::kMaxSmall;
// The maximum number of bytes that an idle operation record keeps for its next
// operation. Moving more bytes takes longer than allocating the memory.
// Reasoned, not measured.
inline constexpr size_t kMaxKept = size_t{1} << 20;
// The number of bytes of a result that are combined at a time. A chunk of this
// size fits into a first-level cache together with its sources (bench coll).
inline constexpr size_t kChunk = 4096;

}  // namespace gasnet::coll

#endif  // COLL_TUNING_H_
