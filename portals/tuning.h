// Constants that tune this software implementation of Portals. Limits that a
// program may request are in api/limits.cc.
//
// "Reasoned, not measured" means that the comment gives the reasons for a
// value, and that no benchmark has confirmed the value. Other comments name a
// benchmark ("bench").
#ifndef PORTALS_TUNING_H_
#define PORTALS_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::portals4 {

// Locks in shared memory. A lock is held for some hundred instructions, so a
// running holder releases it within the spins. A holder that lost its processor
// mostly gets the processor back within the yields. Dead holders are rare, and
// asking the kernel if a holder lives costs some microseconds. Reasoned, not
// measured.
inline constexpr int kLockSpins = 100;
inline constexpr int kLockYields = 50;
inline constexpr int64_t kLockNap = 50'000;           // ns
inline constexpr int64_t kAskForHolder = 10'000'000;  // ns

// The time for which the kernel's answer that a process lives is used again. A
// process is checked only if the thread that opened its interface has ended.
// Each answer costs as much as some dozen puts. Reasoned, not measured.
inline constexpr int64_t kAliveFor = 1'000'000;  // ns

// Waits for a peer. A peer on another processor answers within the spins. The
// yields are for a peer that needs the processor of the waiting thread (bench
// portals, ping-pong).
inline constexpr int kWaitSpins = 500;
inline constexpr int kWaitYields = 20;
// Replaces kWaitSpins if each try polls a socket. A poll takes a hundred times
// as long as a spin. All polls together take as long as several round trips of
// a fast network. Reasoned, not measured.
inline constexpr int kWaitPolls = 50;
// The longest sleep of a waiting thread. A process may die after it has made
// something visible and before it rings the doorbell. Then it wakes no thread,
// and the next process that checks must run its due operations. Ten checks a
// second cost a waiting process almost nothing. Reasoned, not measured.
inline constexpr int64_t kLookInterval = 100'000'000;  // ns

// The time for which an unlink or a release waits for the end of an operation,
// before it returns PTL_IN_USE. The operation's process may have to wait for a
// busy processor. The time covers several time slices of that processor. A
// program that then tries again hardly notices the delay. Reasoned, not
// measured.
inline constexpr int64_t kInUsePatience = 100'000'000;  // ns

// The maximum number of bytes copied under the lock of the portal table entry.
// A longer copy would delay other threads by more than the time for a second
// acquisition of the lock. Reasoned, not measured.
inline constexpr uint64_t kMovedUnderLock = 4096;
// The size in bytes of the buffer, on the stack, for a copy between two other
// processes. The size is half a first-level cache. Reasoned, not measured.
inline constexpr size_t kBounceBytes = 16 * 1024;
// Locks of atomic operations. kAtomicUnit is the number of bytes of the address
// space that one lock guards, and kAtomicLocks is the number of locks. An
// operation takes one lock at a time. Reasoned, not measured.
inline constexpr uint64_t kAtomicUnit = 4096;
inline constexpr uint32_t kAtomicLocks = 64;

// Posters and takers prefetch the line of an event this many events ahead. The
// prefetches serve a flood of events: a poster's locks wait for all its earlier
// stores, and a taker waits for its loads. The poster does not prefetch the
// next line, because the taker reads that line all the time. The taker does not
// prefetch lines that the poster has prefetched (bench portals, flood with
// events).
inline constexpr uint64_t kPosterAhead = 2;
inline constexpr uint64_t kTakerAhead = 4;
// The slots of a queue for PT_DISABLED, beyond the requested events. The number
// is that of the portal table entries with flow control that are likely to use
// a queue. Further portal table entries use slots of the requested events.
// Reasoned, not measured.
inline constexpr uint32_t kSpareSlots = 8;

// Capacities of an interface's shared memory. The memory is sparse: unused
// capacity costs addresses but no memory. Change kRegionVersion
// (engine/layout.h) whenever you change a capacity. Reasoned, not measured.
inline constexpr uint32_t kFlights = 256;  // simultaneous moves of data
inline constexpr uint32_t kMaps = 64;      // mappings that peers can map too
inline constexpr uint32_t kIovs = 1U << 16;
inline constexpr uint32_t kEventSlots = 1U << 20;
// The number of bytes that a helper thread copies at a time. Two context
// switches are a small part of the cost of so many bytes. Reasoned, not
// measured.
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
// calls. Each use without a mapping also costs a system call. So tries are
// about a hundredth of the cost. Reasoned, not measured.
inline constexpr uint32_t kMaxUsesUnmapped = 1024;

// The number of known peers that an interface finds without a lock. A large
// host has about as many processes. Reasoned, not measured.
inline constexpr uint32_t kKnownPeers = 64;
// The backlog of a process that claims an identifier: the number of processes
// that may connect to find it before it accepts their connections. The kernel
// may permit fewer. If the backlog is full, processes use a slower search
// (memory/region.h). Reasoned, not measured.
inline constexpr int kMaxLookers = 4096;
// The time for which a process that was found as the claimer of an identifier
// is assumed to be still its claimer. So one peer that looks for memory again
// and again does not fill the claimer's backlog. Reasoned, not measured.
inline constexpr int64_t kAskForListener = 1'000'000;  // ns

// Doors (memory/door.h). A peer connects and sends its request some
// microseconds later, unless it loses its processor in between (kDoorListens).
// It then waits for the thread of the owner's door (kDoorPatience). That thread
// has nothing else to do. If it does not answer, the peer does not ask again
// for a time (kAskAtDoorAgain). If the door cannot accept a connection, its
// thread pauses (kDoorNap). Reasoned, not measured.
inline constexpr int64_t kDoorListens = 200'000'000;       // ns
inline constexpr int64_t kDoorPatience = 2'000'000'000;    // ns
inline constexpr int64_t kAskAtDoorAgain = 1'000'000'000;  // ns
inline constexpr int64_t kDoorNap = 10'000'000;            // ns

// The maximum size in bytes of the data of an atomic or ordered operation
// between hosts. Data up to this size fits into every packet, together with a
// record. So the data arrives whole and in order, as the limits of atomic and
// ordered operations promise. Reasoned, not measured.
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
// many calls. A poll takes a hundred times as long as a look. The GASNet
// conduit looks at this many queues in each of its own polls. So it polls the
// socket once in each of them (bench portals, floods by datagrams).
inline constexpr unsigned kLooksPerPoll = 3;

// The target sends a receipt for each quiet operation, if possible in a packet
// that leaves anyway. A receipt waits for such a packet for kReceiptDelay. This
// is shorter than the delay of the channel's acknowledgements
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
// So naps grow while other threads do nothing but poll: at least once in
// kDensePolls of processor time. A grown nap lasts for an eighth of the time
// since they began to do so, up to a bound. A short nap follows it. If the
// other threads begin to compute, a datagram waits for both naps at most. Both
// naps together are shorter than the shortest time-out of the channel.
//
// A polling thread that has had no processor for kMaxAbsent may be asleep.
// kMaxAbsent is several turns of a crowd of threads, and equals the shortest
// time-out. Share, bounds and density are reasoned, not measured.
inline constexpr int64_t kAside = 100'000;     // ns
inline constexpr int64_t kMaxAside = 800'000;  // ns
inline constexpr int64_t kAsideShare = 8;
inline constexpr int64_t kDensePolls = 20'000;    // ns
inline constexpr int64_t kMaxAbsent = 1'000'000;  // ns
// The time for which the transport's thread polls after a packet, if the
// program sleeps. After an answer, a peer's next operation usually comes much
// sooner than that. A time slice of the processor is much longer (bench
// portals, put and get by datagrams).
inline constexpr int64_t kStandInFor = 50'000;  // ns

// kDrainLimit is the time for which the last PtlFini waits until all sent data
// has arrived. kDrainInterval is the interval of its checks. Reasoned, not
// measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns
// The silence after which a rank that no longer receives anything counts as
// lost. Until then the rank may still wait for answers and acknowledge them.
// The time is several times the longest time-out of a packet on a network that
// works. Reasoned, not measured.
inline constexpr int64_t kGoneAfter = 500'000'000;  // ns
// The silence after which a rank counts as lost, if its end is not reported and
// PORTALS4_SILENCE_LIMIT is not set. Swapping a process in again takes a
// fraction of this time. Reasoned, not measured.
inline constexpr int64_t kSilenceLimit = 10'000'000'000;  // ns
// The longest time between two messages that ask a silent rank for a sign of
// life. It is a quarter of the limit. So a rank does not count as lost because
// one message was lost. Reasoned, not measured.
inline constexpr int64_t kAskInterval = kSilenceLimit / 4;

}  // namespace gasnet::portals4

#endif  // PORTALS_TUNING_H_
