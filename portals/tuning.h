// Constants that tune the software Portals. Limits that a program may request
// are in api/limits.cc.
#ifndef PORTALS_TUNING_H_
#define PORTALS_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::portals4 {

// Locks in shared memory. A lock is held for some hundred instructions, so a
// running holder releases it within the spins. A holder that lost its processor
// mostly gets it back within the yields. Asking the kernel if a holder lives
// costs some microseconds, and dead holders are rare. Reasoned, not measured.
inline constexpr int kLockSpins = 100;
inline constexpr int kLockYields = 50;
inline constexpr int64_t kLockNap = 50'000;           // ns
inline constexpr int64_t kAskForHolder = 10'000'000;  // ns

// The time for which the kernel's answer that a process lives remains valid.
// The kernel is asked only about processes whose thread that opened the
// interface has ended. An answer costs as much as some dozen puts. Reasoned,
// not measured.
inline constexpr int64_t kAliveFor = 1'000'000;  // ns

// Waits. Spins cover a peer that answers at once, on a processor of its own.
// Yields cover a peer that needs the processor of the waiting thread (bench
// portals, ping-pong).
inline constexpr int kWaitSpins = 500;
inline constexpr int kWaitYields = 20;
// Used instead of kWaitSpins if each try polls a socket, which takes a hundred
// times as long: several round trips of a fast network. Reasoned, not measured.
inline constexpr int kWaitPolls = 50;
// The longest sleep of a waiting thread. A process that dies between making
// something visible and ringing wakes nobody, and leaves due operations to the
// next process that checks. Ten checks a second cost a waiting process nothing.
// Reasoned, not measured.
inline constexpr int64_t kLookInterval = 100'000'000;  // ns

// The time for which an unlink or a release waits for the end of an operation
// under way before it returns PTL_IN_USE. It is several time slices of a busy
// processor, which the operation's process may have to wait for, and short for
// a program that then tries again. Reasoned, not measured.
inline constexpr int64_t kInUsePatience = 100'000'000;  // ns

// The largest copy, in bytes, that is made under the lock of the portal table
// entry. A longer one would keep other threads waiting for longer than a second
// acquisition takes. Reasoned, not measured.
inline constexpr uint64_t kMovedUnderLock = 4096;
// The size of the bounce buffer, on the stack, for a copy between two other
// processes: half a first-level cache. Reasoned, not measured.
inline constexpr size_t kBounceBytes = 16 * 1024;
// The bytes of addresses that one lock of atomic operations guards, and the
// number of such locks. An operation takes one page at a time. Reasoned, not
// measured.
inline constexpr uint64_t kAtomicUnit = 4096;
inline constexpr uint32_t kAtomicLocks = 64;

// The number of lines of events that are prefetched in a flood. A poster's
// locks wait for all earlier stores, and a taker waits for its loads. The
// poster does not prefetch the next line, since the taker reads it all the
// time. The taker does not prefetch lines that the poster has prefetched (bench
// portals, flood with events).
inline constexpr uint64_t kPosterAhead = 2;
inline constexpr uint64_t kTakerAhead = 4;
// Slots of a queue for PT_DISABLED, beyond the requested events: one for each
// portal table entry with flow control that a queue is likely to serve. Further
// entries use slots of the requested events. Reasoned, not measured.
inline constexpr uint32_t kSpareSlots = 8;

// Capacities of an interface's shared memory. It is sparse, so they cost
// addresses, and memory only if used. kRegionVersion (engine/layout.h) changes
// with them. Reasoned, not measured.
inline constexpr uint32_t kFlights = 256;  // operations that move data at once
inline constexpr uint32_t kMaps = 64;  // mappings that peers may map as well
inline constexpr uint32_t kIovs = 1U << 16;
inline constexpr uint32_t kEventSlots = 1U << 20;
// Bytes that a helper thread copies at a time: large enough that two context
// switches are a small part of the cost. Reasoned, not measured.
inline constexpr uint32_t kHelpBytes = 1U << 16;

// Helper threads. A helper on another processor answers within the spins. After
// the interval, a waiting process checks again if the helper's process has
// ended. Reasoned, not measured.
inline constexpr int kHelpSpins = 1000;
inline constexpr int64_t kHelpInterval = 10'000'000;  // ns

// The most interfaces of a process that have a helper thread, or may need one.
// Reasoned, not measured.
inline constexpr size_t kMaxHelpers = 64;

// The number of tries to take a slot of a pool while other threads take and
// give slots: each failed try means that another thread got one. Reasoned, not
// measured.
inline constexpr int kPoolTries = 100;

// A failed mapping of a peer's memory is tried again after 1, 2, 4 and so on
// uses, up to this number. A try costs some system calls, and each use without
// a mapping costs one, so tries are a hundredth of the cost. Reasoned, not
// measured.
inline constexpr uint32_t kMaxUsesUnmapped = 1024;

// The number of peers that an interface finds again without a lock: the
// processes of a large host. Reasoned, not measured.
inline constexpr uint32_t kKnownPeers = 64;
// The backlog of a process that claims an identifier: the number of processes
// that may look for it before it accepts their connections. The kernel may
// permit fewer. Further processes find it in a slower way (memory/region.h).
// Reasoned, not measured.
inline constexpr int kMaxLookers = 4096;
// The time for which a claimer that was found, but had no such memory, is
// assumed to be the claimer still. So a process that looks again and again does
// not fill the claimer's backlog by itself. Reasoned, not measured.
inline constexpr int64_t kAskForListener = 1'000'000;  // ns

// Doors (memory/door.h). A peer sends its request right after it connects: some
// microseconds later, unless it loses its processor in between. A peer waits
// for the owner's thread, which has nothing else to do. If that thread does not
// answer, the peer goes on without it for a time. Reasoned, not measured.
inline constexpr int64_t kDoorListens = 200'000'000;       // ns
inline constexpr int64_t kDoorPatience = 2'000'000'000;    // ns
inline constexpr int64_t kAskAtDoorAgain = 1'000'000'000;  // ns
inline constexpr int64_t kDoorNap = 10'000'000;            // ns

// Bytes, between hosts. Data of an operation up to this size fits into every
// packet, with a record. So it arrives whole and in order, as the limits of
// atomic and ordered operations promise. Reasoned, not measured.
inline constexpr uint64_t kWholeBytes = 1024;
// The least number of packets of each size that a lane has. Reasoned, not
// measured.
inline constexpr size_t kMinPackets = 16;
// Bounds of operations. Each operation takes some hundred bytes. Reasoned, not
// measured.
//
// - kMaxQueued: at the initiator, operations for one rank that wait to leave;
//   further calls wait.
// - kMaxPending: at the initiator, operations under way; further calls wait.
// - kMaxArriving: at the target, operations of all ranks that arrive in parts.
// - kMaxLeaving: at the target, answers to one rank that leave in parts.
inline constexpr size_t kMaxQueued = 64;
inline constexpr size_t kMaxPending = 8192;
inline constexpr size_t kMaxArriving = 1024;
inline constexpr size_t kMaxLeaving = 64;

// PtlEQGet polls the socket in one of this many looks at queues. A look takes
// some nanoseconds, a poll a hundred times that. The conduit of GASNet looks at
// this many queues in a poll of its own, so one of its polls is one poll here
// (bench portals, floods by datagrams).
inline constexpr unsigned kLooksPerPoll = 3;

// The time for which a receipt of a quiet operation waits for a packet to ride
// in, and the most receipts that wait for one rank. The time is shorter than
// the delay of the channel's acknowledgements (core/datagram/tuning.h), so the
// receipt takes the acknowledgement along. Reasoned, not measured.
inline constexpr int64_t kReceiptDelay = 40'000;  // ns
inline constexpr size_t kMaxReceipts = 64;

// The naps of the transport's thread while other threads poll (bench portals, a
// rank that computes). Naps of 100 microseconds, one after the other, take a
// third of the time of a thread that polls on the same virtual processor
// (docs/PERFORMANCE.md).
//
// So naps grow while other threads do nothing but poll, at least once in
// kDensePolls of processor time. Such a nap lasts for an eighth of the time
// that they have done so, up to a bound, and a short nap follows. If those
// threads begin to compute, a datagram waits for both naps at most, which is
// less than the shortest time-out of the channel.
//
// A polling thread that has had no processor for kMaxAbsent may be asleep.
// That is several turns of a crowd, and as long as that time-out. Share, bounds
// and density are reasoned, not measured.
inline constexpr int64_t kAside = 100'000;     // ns
inline constexpr int64_t kMaxAside = 800'000;  // ns
inline constexpr int64_t kAsideShare = 8;
inline constexpr int64_t kDensePolls = 20'000;    // ns
inline constexpr int64_t kMaxAbsent = 1'000'000;  // ns
// The time for which the transport's thread polls after a packet in place of a
// program that sleeps. It is long beside a peer's next operation after an
// answer, and short beside a slice of the processor (bench portals, put and get
// by datagrams).
inline constexpr int64_t kStandInFor = 50'000;  // ns

// The time for which the last PtlFini waits until all sent data has arrived,
// and the interval of its checks. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns
// The silence after which a rank that no longer receives anything counts as
// lost. Until then it may wait for answers, and acknowledges them. Several
// times the longest time-out of a packet on a network that works. Reasoned, not
// measured.
inline constexpr int64_t kGoneAfter = 500'000'000;  // ns
// The silence after which a rank counts as lost, if its end is not reported and
// PORTALS4_SILENCE_LIMIT is not set. Several times the time that a process
// needs to be swapped in again. Reasoned, not measured.
inline constexpr int64_t kSilenceLimit = 10'000'000'000;  // ns
// The longest time between two messages that ask a rank for a sign of life: a
// quarter of the limit, so that a single loss does not end the rank. Reasoned,
// not measured.
inline constexpr int64_t kAskInterval = kSilenceLimit / 4;

}  // namespace gasnet::portals4

#endif  // PORTALS_TUNING_H_
