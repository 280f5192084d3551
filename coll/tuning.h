// Constants that tune collectives. Those that Settings (settings.h) begins with
// are defaults: the environment and a loaded tuning state replace them. All
// nodes of a job have the same. `./dev bench coll` has the rows.
#ifndef COLL_TUNING_H_
#define COLL_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "core/am/tuning.h"
#include "core/rank.h"

namespace gasnet::coll {

// The eager limits of a part, up to which it travels in one message with its
// bytes: to nodes that map each other's segments, where a rendezvous costs two
// more cache lines and saves a copy; and to others, where it costs a round
// trip. Among 4 ranks over udp, slices of 16 KiB take half as long eager as in
// a rendezvous; parts of 64 KiB gain or lose by their kind, and would take four
// times the memory of the window (bench coll).
inline constexpr size_t kEagerNear = 2048;
inline constexpr size_t kEagerFar = 16 * 1024;
// Among near nodes that all send at once, parts of these sizes are pushed: from
// 4 to 128 KiB the sender's copy is 15 to 30 % faster than the receiver's, from
// 256 KiB on there is no difference (bench coll).
inline constexpr size_t kPushFrom = kEagerNear + 1;
inline constexpr size_t kPushTo = 128 * 1024;
// Pieces of a part are no larger, so that all peers get theirs in turn (bench
// coll).
inline constexpr size_t kLargestPiece = 256 * 1024;

// Shapes. Contributions of up to so many bytes go whole to the node that
// combines them: above that, slices save more than their second phase costs
// (bench coll).
inline constexpr size_t kFlatReduce = 1024;
// Where nodes outnumber processors, slices of fewer bytes go to some of the
// nodes alone: each slice costs every node a message and its answer, and all of
// them run on the same processors anyway. 64 KiB of 16 ranks on two take 0.72
// to 0.78 of the time in two slices; of 1 MiB two take longer, since a slice of
// 64 KiB is what a second-level cache holds of its sources (bench coll).
inline constexpr size_t kSliceInCrowd = 64 * 1024;
// Nodes up to which all send to all at once. Far ones are fewer, since each
// message costs its sender more. Measured with 4 and 16 alone (bench coll).
inline constexpr size_t kFlatFar = 8;
inline constexpr size_t kFlatNear = 16;
// Far nodes up to which all notify all that they have come to a meeting, else
// in rounds: three messages and one latency beside two and two. Reasoned, not
// measured.
inline constexpr Rank kMeetFar = 4;
// Near nodes from which small prefixes go down a chain where they are no crowd:
// n - 1 messages in place of n * (n - 1) / 2. It has as many steps, so that
// fewer do better without (bench coll, 4 and 16 ranks).
inline constexpr size_t kChainFrom = 5;
// Segments of a pipelined broadcast between hosts: as long as a datagram on
// loopback, else several times what a network's packet costs. At most so many
// segments: each is a part, and has its bookkeeping, and the end of a pipeline
// of 64 is short already. Reasoned, not measured.
inline constexpr size_t kSegment = 64 * 1024;
inline constexpr size_t kMostSegments = 64;
// Blocks of a gather_all between hosts that go round a ring, so that
// a host gets each once: of smaller ones the messages count, not the bytes
// (bench coll, 4 ranks over udp).
inline constexpr size_t kRingFrom = 4097;
// Among more nodes than send all to all, up to so many bytes of all blocks of a
// gather_all, and of each block of an exchange, go in rounds. The blocks of an
// exchange travel several times, those of a gather_all once. Reasoned, not
// measured.
inline constexpr size_t kRoundsGather = 64 * 1024;
inline constexpr size_t kRoundsExchange = 256;
// The blocks of a host in a scatter or gather that hold together up to so many
// bytes go through its leader: one message between hosts in place of one for
// each node. The leader copies every byte once more and adds a step within the
// host, so that many bytes gain nothing. A block of two or more that are so
// small is eager within the host too. Reasoned, not measured.
inline constexpr size_t kLeaders = 2 * kEagerNear;
// Nodes that share memory, and fewer processors, from which small parts of all
// for all, and meetings, go by way of one of them: a step more than all to all,
// and n times fewer messages; fewer steps than rounds, for each of which every
// node takes a turn. On two processors 4 nodes take 1.35 times as long and 8 as
// long as all to all, 16 take 0.55 to 0.9, 32 and 64 a third of what rounds do.
// Exchanges go so as long as all blocks of a node are one eager message; peers
// that run ahead send the center one for each operation of the window. Those of
// 16 nodes take as long with blocks of 8 B, 0.8 from 128 B to 1 KiB, and
// 1.2 with 4 KiB. Prefixes of 16 take 0.45 of a chain's time one by one, and 3
// times as long in a row (bench coll, which has rows of 4 and 16).
inline constexpr size_t kCentralFrom = 12;
// Of the LogP model: latency beside the time that a message keeps its sender
// busy. Of datagrams on one machine 0.3 to 0.9 (bench coll).
inline constexpr uint32_t kLatency = 1;

// Operations under way. So many numbers of a team may be live on a node: a
// bound for what its peers send ahead. A base is sent for each half of it, so a
// smaller one costs messages. A power of two. Reasoned, not measured.
inline constexpr uint32_t kWindow = 32;
// Nodes of teams whose small operations may be over within their call: as many
// as send all to all at once. Reasoned, not measured.
inline constexpr Rank kMostNodes = kFlatNear;
// Looks of such a call for what has not come: a microsecond or two, the answer
// of a peer that is in the same call; or some turns of all others where ranks
// share processors (bench coll).
inline constexpr unsigned kMostLooks = 64;
// One of so many looks serves all that has come, also messages of operations
// that this node begins later, behind which others may wait. Reasoned, not
// measured.
inline constexpr unsigned kLooksPerService = 8;
// An operation that is the oldest for so long has its terms compared with those
// of the nodes that it waits for: long beside what takes its time because nodes
// come late, short beside a person's patience. Reasoned, not measured.
inline constexpr int64_t kPatience = 100'000'000;  // ns
// How long a thread of a node with collectives under way sleeps before its next
// turns, of which one in several looks at the clock. Reasoned, not measured.
inline constexpr int64_t kLongestSleep = kPatience / 8;
// The clock is read in one of so many turns of a wait: of one that spins
// nobody notices it, one that sleeps has two turns each time that it wakes.
// Reasoned, not measured.
inline constexpr uint32_t kDrivesPerClock = 16;
// How long the progress thread serves when nothing is under way here any more,
// since peers may not have their answers: four times the longest time-out after
// which a datagram is sent again (core/datagram/channel_options.h); most are
// much shorter. Reasoned, not measured.
inline constexpr int64_t kLinger = 1'000'000'000;  // ns

// Memory. A payload of up to so many bytes is in its envelope: what is copied
// without a call. Reasoned, not measured.
inline constexpr size_t kInline = am::kMostSmall;
// An idle record of an operation keeps so many bytes for the next: what is
// larger takes longer to move than to allocate. Reasoned, not measured.
inline constexpr size_t kMostKept = size_t{1} << 20;
// Bytes of a result that are combined at once: a piece that fits into a
// first-level cache beside its sources (bench coll).
inline constexpr size_t kChunk = 4096;

}  // namespace gasnet::coll

#endif  // COLL_TUNING_H_
