// Constants that tune the ofi conduit.
#ifndef CONDUITS_OFI_TUNING_H_
#define CONDUITS_OFI_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ofi {

// The eager limit: the largest payload that is sent in one frame. With its
// header it is below what providers send without a rendezvous (16 KiB and
// more). A frame of 64 KiB, which needs one, sometimes arrives damaged in a
// multi-receive buffer of ofi_rxm 1.17 (seen in bench fabric). The least one
// applies if a job is so large that windows are short. Reasoned, except for the
// damage.
inline constexpr size_t kWholeMedium = 8192;
inline constexpr size_t kLeastWhole = 512;
// The window of credit of a peer and lane, and the most that those of all peers
// take of a rank's receive buffers (bench fabric, floods).
inline constexpr size_t kWindowBytes = 128 << 10;
inline constexpr size_t kAllWindowsBytes = 64 << 20;
// Receive buffers and their size, if a job does not need more. Reasoned, not
// measured.
inline constexpr size_t kLeastBuffer = 256 << 10;
inline constexpr size_t kReceiveBuffers = 4;
// Send buffers of a lane: 2 MiB with frames of the largest Medium, and more
// than are under way to a few peers between two looks. Reasoned, not measured.
inline constexpr size_t kSends = 256;
// Messages that were injected to a peer and are not known to have left. After
// 64 in a row one has a completion, which costs as much as one for each did. A
// provider keeps some KiB of memory for each that cannot leave (bench fabric).
inline constexpr uint32_t kMostInjected = 64;
// Seconds for which they may stay so if no other message follows, by the clock
// of waits (waited.h). Reasoned, not measured.
inline constexpr uint32_t kMostInjectedAge = 2;
// Arrivals in a queue that must not overrun, if a job does not need more.
// Reasoned, not measured.
inline constexpr size_t kQueuedArrivals = 32768;
// Entries of a queue if the provider keeps completions that find no room: half
// of kQueuedArrivals, since a queue that is too small costs only time.
// Reasoned, not measured.
inline constexpr size_t kMostEntries = 16384;
// Operations posted at once: providers without a limit of their own keep them
// in memory. Reasoned, not measured.
inline constexpr size_t kMostPosted = 1024;

// Up to this size, a put that is not injected, and whose source is wanted back
// at once, is copied to a bounce buffer. A larger one waits for its completion,
// which takes little longer than the copy. Reasoned, not measured.
inline constexpr size_t kBounceBytes = 65536;
// The number of bounce buffers: a megabyte, and several puts overlap. Reasoned,
// not measured.
inline constexpr size_t kBounces = 16;
// The most payload of a Long that goes ahead. Reasoned, not measured.
inline constexpr size_t kMostNative = size_t{1} << 30;

// Completions taken from the queue in one look: their records stay in the
// first-level cache, and one call serves a burst. Reasoned, not measured.
inline constexpr size_t kBatch = 16;
// One in this many looks that find nothing reads the clock, which then costs
// nothing beside them. Reasoned, not measured.
inline constexpr uint32_t kLooksPerClock = 256;
// The time after which an operation that the library has refused is tried
// again. Reasoned, not measured.
inline constexpr int64_t kLookAgain = 1'000'000;  // ns
// If no descriptor signals, the time from one look of a sleeper to the next
// (naps.h): a share of the time in which nothing has arrived, and this many
// times what a look takes, which is 3 to 30 us by provider and number of peers.
// So an idle rank uses less than 1 % of a processor (bench idle, with
// GASNET_OFI_WAIT=naps).
inline constexpr int64_t kShareOfIdle = 16;
inline constexpr int64_t kNapsOfLook = 192;
inline constexpr int64_t kLeastNap = 50'000;     // ns
inline constexpr int64_t kMostNap = 10'000'000;  // ns

// Silence of a peer that is reported: longer than a peer computes in most
// programs, short beside a user's patience. Reasoned, not measured.
inline constexpr double kSilenceNotice = 30;  // s
// The time from one look at waiting operations to the next; the clock of waits
// (waited.h) advances by one each time. It suits limits of seconds. Reasoned,
// not measured.
inline constexpr int64_t kSilenceInterval = 1'000'000'000;  // ns
// The number of these intervals that a transfer to a rank that has left may be
// under way before this rank stops waiting for it: some providers never report
// such a transfer. Longer than a completion takes that is on its way. Reasoned,
// not measured.
inline constexpr uint32_t kPatienceWithLeft = 2;

// The longest time that a rank waits at its end until all that it has sent is
// on its way, and the time between two looks. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_TUNING_H_
