// Constants that tune the software Portals. Limits that a program may ask for
// are in api/limits.cc.
#ifndef PORTALS_TUNING_H_
#define PORTALS_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::portals4 {

// Locks in shared memory. They are held for some hundred instructions, so a
// holder that runs is done within the spins; one that lost its processor has
// had it again within the yields, most of the time. To ask whether a holder
// lives costs some microseconds, and dead ones are rare. Reasoned, not
// measured.
inline constexpr int kLockSpins = 100;
inline constexpr int kLockYields = 50;
inline constexpr int64_t kLockNap = 50'000;           // ns
inline constexpr int64_t kAskForHolder = 10'000'000;  // ns

// A process whose thread that opened an interface has ended counts as alive for
// so long after it was found so: to ask costs as much as some dozen puts.
// Reasoned, not measured.
inline constexpr int64_t kAliveFor = 1'000'000;  // ns

// Waits. Spins cover a peer that answers at once, on a processor of its own;
// yields one that wants ours (bench portals, ping-pong).
inline constexpr int kWaitSpins = 500;
inline constexpr int kWaitYields = 20;
// Instead of spins where each polls a socket, a hundred times as long: several
// round trips of a fast network. Reasoned, not measured.
inline constexpr int kWaitPolls = 50;
// A process that dies between making something visible and ringing wakes
// nobody, and leaves operations that are due to the next that looks: nobody
// sleeps for longer. Ten looks a second are nothing to a process that waits.
// Reasoned, not measured.
inline constexpr int64_t kLookInterval = 100'000'000;  // ns

// An unlink or a release that finds an operation at work waits so long for its
// end before it answers PTL_IN_USE: several slices of a busy processor, which
// the operation's process may lack, and short for a program that then tries
// again. Reasoned, not measured.
inline constexpr int64_t kInUsePatience = 100'000'000;  // ns

// Copies up to so many bytes are made under the lock of the portal table entry:
// longer ones would keep others from it for longer than it takes to come back
// to it. Reasoned, not measured.
inline constexpr uint64_t kMovedUnderLock = 4096;
// A copy between two other processes passes through so much of our stack: half
// a first-level cache. Reasoned, not measured.
inline constexpr size_t kBounceBytes = 16 * 1024;
// Bytes of addresses under one lock of atomic operations, and such locks: a
// page is also what an operation takes at a time. Reasoned, not measured.
inline constexpr uint64_t kAtomicUnit = 4096;
inline constexpr uint32_t kAtomicLocks = 64;

// In a flood lines of events are fetched while others are worked on: a poster's
// locks wait for all stores before them, and a taker for what it reads. The
// poster spares the next line, since the taker looks at it all the time, and
// the taker those that the poster has fetched (bench portals, flood with
// events).
inline constexpr uint64_t kPosterAhead = 2;
inline constexpr uint64_t kTakerAhead = 4;
// Of a queue, for PT_DISABLED, beyond the events asked for: as many portal
// table entries with flow control as a queue is likely to serve. Others take
// from the events asked for. Reasoned, not measured.
inline constexpr uint32_t kSpareSlots = 8;

// Capacities of an interface's shared memory, which is sparse: they cost
// addresses, and memory where they are used. kRegionVersion (engine/layout.h)
// changes with them. Reasoned, not measured.
inline constexpr uint32_t kFlights = 256;  // operations that move data at once
inline constexpr uint32_t kMaps = 64;  // mappings that peers may map as well
inline constexpr uint32_t kIovs = 1U << 16;
inline constexpr uint32_t kEventSlots = 1U << 20;
// Copied at a time by a helper thread: large enough that two changes of context
// are a small part of it. Reasoned, not measured.
inline constexpr uint32_t kHelpBytes = 1U << 16;

// Helper threads. One on another processor answers within the spins; who waits
// for it sees between two looks that its process is gone. Reasoned, not
// measured.
inline constexpr int kHelpSpins = 1000;
inline constexpr int64_t kHelpInterval = 10'000'000;  // ns

// Interfaces of a process that have a helper thread, or may need one.
// Reasoned, not measured.
inline constexpr size_t kMostHelpers = 64;

// A slot of a pool that others give back and take meanwhile is looked for so
// often: each time somebody else has had one. Reasoned, not measured.
inline constexpr int kPoolTries = 100;

// A mapping of a peer's memory that could not be made is tried again after 1,
// 2, 4 and so on uses, and after so many at most. A try costs some system
// calls, and each use without a mapping one: so tries are a hundredth of the
// cost. Reasoned, not measured.
inline constexpr uint32_t kMostUsesUnmapped = 1024;

// Peers found last that an interface remembers without a lock: the processes of
// a large host. Reasoned, not measured.
inline constexpr uint32_t kKnownPeers = 64;
// Processes that may look for one that claims an identifier before it accepts
// their connections; the kernel may permit fewer. Others find it by a slower
// way (memory/region.h). Reasoned, not measured.
inline constexpr int kMostLookers = 4096;
// A process that claims an identifier and has not, or not yet, what is looked
// for is taken for the one that claims it for so long: who looks again and
// again does not fill its backlog alone. Reasoned, not measured.
inline constexpr int64_t kAskForListener = 1'000'000;  // ns

// Doors (memory/door.h). A connection is there before what it asks for: some
// microseconds, unless the peer loses its processor between. A peer waits for
// the owner's thread, which has nothing else to do; after one that does not
// answer it goes on without for a time. Reasoned, not measured.
inline constexpr int64_t kDoorListens = 200'000'000;       // ns
inline constexpr int64_t kDoorPatience = 2'000'000'000;    // ns
inline constexpr int64_t kAskAtDoorAgain = 1'000'000'000;  // ns
inline constexpr int64_t kDoorNap = 10'000'000;            // ns

// Between hosts. Data of an operation that fits into every packet, with a
// record, so arrives whole and in order: what the limits of atomic and ordered
// operations promise. Reasoned, not measured.
inline constexpr uint64_t kWholeBytes = 1024;
// Packets of each size that each lane has at least. Reasoned, not measured.
inline constexpr size_t kLeastPackets = 16;
// Operations of this process that wait to leave for one rank, and that are
// under way; more calls wait. At the target, of all ranks, operations that
// arrive in parts; of one rank, answers that leave in parts. Each takes some
// hundred bytes. Reasoned, not measured.
inline constexpr size_t kMostQueued = 64;
inline constexpr size_t kMostPending = 8192;
inline constexpr size_t kMostArriving = 1024;
inline constexpr size_t kMostLeaving = 64;

// Looks at queues by PtlEQGet, each of some nanoseconds, of which one polls the
// socket, at a hundred times that: as many queues as the conduit of GASNet
// looks at in a poll of its own, which so is one here (bench portals, floods by
// datagrams).
inline constexpr unsigned kLooksPerPoll = 3;

// A receipt of a quiet operation waits so long for a packet to ride in, and at
// most so many wait for one rank. Less than an acknowledgement of the channel
// waits (core/datagram/tuning.h), so that the receipt takes that one along.
// Reasoned, not measured.
inline constexpr int64_t kReceiptDelay = 40'000;  // ns
inline constexpr size_t kMostReceipts = 64;

// The thread's nap while others poll: the time for which it leaves them alone
// (bench portals, a rank that computes). Naps of 100 microseconds, one after
// the other, take a third of the time of a thread that polls on the same
// virtual processor (docs/PERFORMANCE.md). So where others do nothing but poll,
// at least once in kDensePolls of the processor's time, a nap lasts for an
// eighth of the time that they have done so, up to a bound, and a short one
// follows. A datagram waits at most for both once they compute, which is less
// than the shortest time-out of the channel. One that has no processor for
// kMostAbsent may sleep: several turns of a crowd, and as long as that
// time-out. Share, bounds and density are reasoned, not measured.
inline constexpr int64_t kAside = 100'000;      // ns
inline constexpr int64_t kMostAside = 800'000;  // ns
inline constexpr int64_t kAsideShare = 8;
inline constexpr int64_t kDensePolls = 20'000;     // ns
inline constexpr int64_t kMostAbsent = 1'000'000;  // ns
// After a packet that came the thread looks on for so long in place of a
// program that sleeps. Long beside a peer's next operation after an answer,
// short beside a slice of the processor (bench portals, put and get by
// datagrams).
inline constexpr int64_t kStandInFor = 50'000;  // ns

// The last PtlFini waits for so long for what was sent, and looks as often.
// Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns
// Silence after which a rank that takes nothing in any more is gone: until then
// it may wait for answers, and acknowledges them. Several times the longest
// time-out of a packet on a network that works. Reasoned, not measured.
inline constexpr int64_t kGoneAfter = 500'000'000;  // ns
// Silence after which a rank counts as lost, where its end is not told and
// PORTALS4_SILENCE_LIMIT says nothing else. Several times what a process that
// is swapped out takes to come back. Reasoned, not measured.
inline constexpr int64_t kSilenceLimit = 10'000'000'000;  // ns
// Most time between two words that are asked of a rank: a quarter of that, so
// that no single loss is its end. Reasoned, not measured.
inline constexpr int64_t kAskInterval = kSilenceLimit / 4;

}  // namespace gasnet::portals4

#endif  // PORTALS_TUNING_H_
