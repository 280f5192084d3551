// Constants that tune the ofi conduit.
#ifndef CONDUITS_OFI_TUNING_H_
#define CONDUITS_OFI_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ofi {

// The largest Medium, which is its eager limit: with its header below what
// providers send without a rendezvous (16 KiB and more). By one, a frame of 64
// KiB arrives damaged in a multi-receive buffer of ofi_rxm 1.17 every now and
// then (seen in bench fabric). The least one stands where a job is so large
// that windows are short: as much as GASNet promises. Reasoned, but for the
// damage.
inline constexpr size_t kMaxMedium = 8192;
inline constexpr size_t kLeastMedium = 512;
// The window of credit of a peer and lane, and the most that those of all peers
// take of a rank's receive buffers (bench fabric, floods).
inline constexpr size_t kWindowBytes = 128 << 10;
inline constexpr size_t kAllWindowsBytes = 64 << 20;
// Receive buffers and their size, where a job does not need more. Reasoned,
// not measured.
inline constexpr size_t kLeastBuffer = 256 << 10;
inline constexpr size_t kReceiveBuffers = 4;
// Send buffers of a lane: 2 MiB with frames of the largest Medium, and more
// than are under way to a few peers between two looks. Reasoned, not measured.
inline constexpr size_t kSends = 256;
// Messages that were injected to a peer and are not known to have left: of 64
// in a row one more has a completion, which costs what one of all did. A
// provider keeps some KiB of memory for each that cannot leave (bench fabric).
inline constexpr uint32_t kMostInjected = 64;
// Seconds for which they may stay so where no other message follows, by the
// clock of waits (waited.h). Reasoned, not measured.
inline constexpr uint32_t kMostInjectedAge = 2;
// Arrivals in a queue that must not overrun, where a job does not need more.
// Reasoned, not measured.
inline constexpr size_t kQueuedArrivals = 32768;
// Entries of a queue where the provider keeps completions that find no room:
// half of kQueuedArrivals, since a queue that is too small costs time alone.
// Reasoned, not measured.
inline constexpr size_t kMostEntries = 16384;
// Operations posted at once: providers without a limit of their own keep them
// in memory. Reasoned, not measured.
inline constexpr size_t kMostPosted = 1024;

// A put that is not injected, and whose source is wanted back at once, is
// copied to a bounce buffer up to this size; a larger one waits for its
// completion, which takes little longer than the copy. Reasoned, not measured.
inline constexpr size_t kBounceBytes = 65536;
// So many of them: a megabyte, and several puts overlap. Reasoned, not
// measured.
inline constexpr size_t kBounces = 16;
// The payload of a Long that goes ahead. Reasoned, not measured.
inline constexpr size_t kMostNative = size_t{1} << 30;

// Completions taken from the queue in one look: their records stay in the
// first-level cache, and one call serves a burst. Reasoned, not measured.
inline constexpr size_t kBatch = 16;
// Of looks that find nothing, one so often reads the clock, which then costs
// nothing beside them. Reasoned, not measured.
inline constexpr uint32_t kLooksPerClock = 256;
// When to try again an operation that the library has refused. Reasoned, not
// measured.
inline constexpr int64_t kLookAgain = 1'000'000;  // ns
// Where no descriptor tells, from one look of a sleeper to the next (naps.h): a
// share of the time in which nothing has come, and so many times what a look
// takes, which is 3 to 30 us by provider and number of peers: an idle rank uses
// less than 1 % of a processor (bench idle, with GASNET_OFI_WAIT=naps).
inline constexpr int64_t kShareOfIdle = 16;
inline constexpr int64_t kNapsOfLook = 192;
inline constexpr int64_t kLeastNap = 50'000;     // ns
inline constexpr int64_t kMostNap = 10'000'000;  // ns

// Silence of a peer that is reported: longer than a peer computes in most
// programs, short beside a user's patience. Reasoned, not measured.
inline constexpr double kSilenceNotice = 30;  // s
// How often operations are looked at that wait; the clock of waits (waited.h)
// goes on by one each time. Often enough for limits of seconds. Reasoned, not
// measured.
inline constexpr int64_t kSilenceInterval = 1'000'000'000;  // ns
// Of those, how many a transfer to a rank that has left may be under way until
// nobody waits for it: some providers say nothing of such a one. Longer than a
// completion takes that is on its way. Reasoned, not measured.
inline constexpr uint32_t kPatienceWithLeft = 2;

// At its end a rank waits for so long until all that it has sent is on its way,
// and looks as often. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_TUNING_H_
