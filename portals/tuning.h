// Constants that tune this software implementation of Portals. Limits that a
// program may request are in api/limits.cc.
//
// A comment that says "Reasoned, not measured" gives the reasons for a value
// that no benchmark has confirmed. Otherwise it names a benchmark ("bench").
#ifndef PORTALS_TUNING_H_
#define PORTALS_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::portals4 {

// Locks in shared memory. A lock is held for some hundred instructions, so a
// running holder releases it within the spins. A holder that lost its processor
// mostly gets it back within the yields. Dead holders are rare, and it costs
// some microseconds to ask the kernel if a holder lives. Reasoned, not
// measured.
inline constexpr int kLockSpins = 100;
inline constexpr int kLockYields = 50;
inline constexpr int64_t kLockNap = 50'000;           // ns
inline constexpr int64_t kAskForHolder = 10'000'000;  // ns

// The time for which the kernel's answer that a process lives remains valid. A
// process is checked only if the thread that opened its interface has ended.
// Each answer costs as much as some dozen puts. Reasoned, not measured.
inline constexpr int64_t kAliveFor = 1'000'000;  // ns

// Waits for a peer. Within the spins, a peer on a processor of its own answers.
// The yields are for a peer that needs the processor of the waiting thread
// (bench portals, ping-pong).
inline constexpr int kWaitSpins = 500;
inline constexpr int kWaitYields = 20;
// The number of tries, instead of kWaitSpins, if each try polls a socket. A
// poll takes a hundred times as long as a spin. So all polls together take as
// long as several round trips of a fast network. Reasoned, not measured.
inline constexpr int kWaitPolls = 50;
// The longest sleep of a waiting thread. If a process dies after it has made
// something visible and before it rings the doorbell, it wakes no thread. Its
// due operations are then left to the next process that checks. Ten checks a
// second cost a waiting process almost nothing. Reasoned, not measured.
inline constexpr int64_t kLookInterval = 100'000'000;  // ns

// The time for which an unlink or a release waits until an operation under way
// ends, before it returns PTL_IN_USE. The operation's process may have to wait
// for a busy processor, and the time covers several time slices of that
// processor. A program that then tries again hardly notices the delay.
// Reasoned, not measured.
inline constexpr int64_t kInUsePatience = 100'000'000;  // ns

// The largest copy, in bytes, that is made under the lock of the portal table
// entry. A longer copy would make other threads wait for longer than it takes
// to acquire the lock a second time. Reasoned, not measured.
inline constexpr uint64_t kMovedUnderLock = 4096;
// The size in bytes of the bounce buffer, on the stack, for a copy between two
// other processes. It is half a first-level cache. Reasoned, not measured.
inline constexpr size_t kBounceBytes = 16 * 1024;
// Locks of atomic operations. kAtomicUnit is the number of bytes of the address
// space that one lock guards, and kAtomicLocks is the number of locks. An
// operation takes one lock at a time. Reasoned, not measured.
inline constexpr uint64_t kAtomicUnit = 4096;
inline constexpr uint32_t kAtomicLocks = 64;

// Posters and takers prefetch the line of an event this many events ahead. The
// prefetches serve a flood of events: a poster's locks wait for all its earlier
// stores, and a taker waits for its loads. The poster does not prefetch the
// next line, since the taker reads that line all the time. The taker does not
// prefetch lines that the poster has prefetched (bench portals, flood with
// events).
inline constexpr uint64_t kPosterAhead = 2;
inline constexpr uint64_t kTakerAhead = 4;
// The slots of a queue for PT_DISABLED, beyond the requested events. There is
// one for each portal table entry with flow control that a queue is likely to
// serve. Further portal table entries use slots of the requested events.
// Reasoned, not measured.
inline constexpr uint32_t kSpareSlots = 8;

// Capacities of an interface's shared memory. The memory is sparse, so unused
// capacity costs addresses but no memory. Change kRegionVersion
// (engine/layout.h) with them. Reasoned, not measured.
inline constexpr uint32_t kFlights = 256;  // simultaneous moves of data
inline constexpr uint32_t kMaps = 64;      // mappings that peers can map too
inline constexpr uint32_t kIovs = 1U << 16;
inline constexpr uint32_t kEventSlots = 1U << 20;
// The bytes that a helper thread copies at a time. They are so many that two
// context switches are a small part of the cost. Reasoned, not measured.
inline constexpr uint32_t kHelpBytes = 1U << 16;

// Waits for helper threads. A helper on another processor answers within the
// spins. After each interval, a waiting process checks if the helper's process
// has ended. Reasoned, not measured.
inline constexpr int kHelpSpins = 1000;
inline constexpr int64_t kHelpInterval = 10'000'000;  // ns

// The maximum number of interfaces of a process that have a helper thread, or
// may need one. Reasoned, not measured.
inline constexpr size_t kMaxHelpers = 64;

// The number of tries to take a slot of a pool while other threads take and
// give slots. Each failed try means that another thread got a slot. Reasoned,
// not measured.
inline constexpr int kPoolTries = 100;

// A failed mapping of a peer's memory is tried again after 1, 2, 4 and so on
// uses, and at least once in this number of uses. A try costs some system
// calls, and each use without a mapping costs one. So tries are about a
// hundredth of the cost. Reasoned, not measured.
inline constexpr uint32_t kMaxUsesUnmapped = 1024;

// The number of known peers that an interface finds without a lock. It is the
// number of processes on a large host. Reasoned, not measured.
inline constexpr uint32_t kKnownPeers = 64;
// The backlog of a process that claims an identifier: the number of processes
// that may connect to find it before it accepts their connections. The kernel
// may permit fewer. If the backlog is full, processes find it in a slower way
// (memory/region.h). Reasoned, not measured.
inline constexpr int kMaxLookers = 4096;
// After a process was found as the claimer of an identifier, the time for which
// it is assumed to be the claimer still. So a peer that looks again and again
// for memory does not fill the claimer's backlog by itself. Reasoned, not
// measured.
inline constexpr int64_t kAskForListener = 1'000'000;  // ns

// Doors (memory/door.h). A peer sends its request right after it connects: some
// microseconds later, unless it loses its processor in between (kDoorListens).
// It then waits for the thread of the owner's door, which has nothing else to
// do (kDoorPatience). If that thread does not answer, the peer does not ask
// again for a time (kAskAtDoorAgain). If the door cannot accept a connection,
// its thread pauses (kDoorNap). Reasoned, not measured.
inline constexpr int64_t kDoorListens = 200'000'000;       // ns
inline constexpr int64_t kDoorPatience = 2'000'000'000;    // ns
inline constexpr int64_t kAskAtDoorAgain = 1'000'000'000;  // ns
inline constexpr int64_t kDoorNap = 10'000'000;            // ns

// The maximum size in bytes of the data of an atomic or ordered operation
// between hosts. Data up to this size fits into every packet, together with a
// record. So it arrives whole and in order, as the limits of atomic and ordered
// operations promise. Reasoned, not measured.
inline constexpr uint64_t kWholeBytes = 1024;
// The minimum number of packets of each size that a lane has. Reasoned, not
// measured.
inline constexpr size_t kMinPackets = 16;
// Bounds on the numbers of operations. Each operation takes some hundred bytes.
// Reasoned, not measured.
//
// - kMaxQueued: at the initiator, operations that wait to be sent to one rank.
//   Further calls wait.
// - kMaxPending: at the initiator, operations under way. Further calls wait.
// - kMaxArriving: at the target, operations of all ranks that arrive in parts.
// - kMaxLeaving: at the target, answers to one rank that leave in parts.
inline constexpr size_t kMaxQueued = 64;
inline constexpr size_t kMaxPending = 8192;
inline constexpr size_t kMaxArriving = 1024;
inline constexpr size_t kMaxLeaving = 64;

// PtlEQGet looks at a queue in each call, and polls the socket in one of this
// many calls. A look takes some nanoseconds, a poll a hundred times that. The
// GASNet conduit looks at this many queues in each of its polls, so it polls
// the socket once in each (bench portals, floods by datagrams).
inline constexpr unsigned kLooksPerPoll = 3;

// The target sends a receipt for each quiet operation, if possible in a packet
// that leaves anyway. kReceiptDelay is the time for which a receipt waits for
// such a packet. It is shorter than the delay of the channel's acknowledgements
// (core/datagram/tuning.h), so a packet with receipts also carries the
// acknowledgement. kMaxReceipts is the maximum number of receipts that wait for
// one rank. Reasoned, not measured.
inline constexpr int64_t kReceiptDelay = 40'000;  // ns
inline constexpr size_t kMaxReceipts = 64;

// The naps of the transport's thread while other threads poll (bench portals, a
// rank that computes). With naps of only 100 microseconds, the transport's
// thread would take a third of the time of a thread that polls on the same
// virtual processor (docs/PERFORMANCE.md).
//
// So naps grow while other threads do nothing but poll. This means that they
// poll at least once in kDensePolls of processor time. A grown nap lasts for an
// eighth of the time for which they have done so, up to a bound. A short nap
// follows it. If the other threads begin to compute, a datagram waits for both
// naps at most, which is less than the shortest time-out of the channel.
//
// A polling thread that has had no processor for kMaxAbsent may be asleep.
// kMaxAbsent is several turns of a crowd of threads, and as long as that
// time-out. Share, bounds and density are reasoned, not measured.
inline constexpr int64_t kAside = 100'000;     // ns
inline constexpr int64_t kMaxAside = 800'000;  // ns
inline constexpr int64_t kAsideShare = 8;
inline constexpr int64_t kDensePolls = 20'000;    // ns
inline constexpr int64_t kMaxAbsent = 1'000'000;  // ns
// The time for which the transport's thread polls after a packet, if the
// program sleeps. After an answer, a peer's next operation comes much sooner. A
// time slice of the processor is much longer (bench portals, put and get by
// datagrams).
inline constexpr int64_t kStandInFor = 50'000;  // ns

// The time for which the last PtlFini waits until all sent data has arrived,
// and the interval of its checks. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns
// The silence after which a rank that no longer receives anything counts as
// lost. Until then the rank may wait for answers, and acknowledges them. This
// is several times the longest time-out of a packet on a network that works.
// Reasoned, not measured.
inline constexpr int64_t kGoneAfter = 500'000'000;  // ns
// The silence after which a rank counts as lost, if its end is not reported and
// PORTALS4_SILENCE_LIMIT is not set. This is several times the time that it
// takes to swap a process in again. Reasoned, not measured.
inline constexpr int64_t kSilenceLimit = 10'000'000'000;  // ns
// The longest time between two messages that ask a silent rank for a sign of
// life. It is a quarter of the limit, so that the loss of one message does not
// make the rank count as lost. Reasoned, not measured.
inline constexpr int64_t kAskInterval = kSilenceLimit / 4;

}  // namespace gasnet::portals4

#endif  // PORTALS_TUNING_H_
