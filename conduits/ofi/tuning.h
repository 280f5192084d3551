// Constants that tune the ofi conduit.
#ifndef CONDUITS_OFI_TUNING_H_
#define CONDUITS_OFI_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ofi {

// The eager limit: the largest payload that is sent in one frame. Such a frame
// is smaller than those that providers send by a rendezvous (16 KiB and more).
// A frame of 64 KiB needs one, and sometimes arrives damaged in a multi-receive
// buffer of ofi_rxm 1.17 (seen in bench fabric). kMinWhole applies if a job
// is so large that windows are small. Reasoned, except for the damage.
inline constexpr size_t kWholeMedium = 8192;
inline constexpr size_t kMinWhole = 512;
// The credit window of a peer and lane, and the most memory that the windows of
// all peers take of a rank's receive buffers (bench fabric, floods).
inline constexpr size_t kWindowBytes = 128 << 10;
inline constexpr size_t kAllWindowsBytes = 64 << 20;
// The size and number of receive buffers, if a job does not need more.
// Reasoned, not measured.
inline constexpr size_t kMinBuffer = 256 << 10;
inline constexpr size_t kReceiveBuffers = 4;
// Send buffers of a lane: 2 MiB with the largest frames, and more than are
// under way to a few peers between two looks. Reasoned, not measured.
inline constexpr size_t kSends = 256;
// The most messages injected to a peer that are not known to have left. So of
// 64 messages in a row, only one has a completion. A provider keeps some KiB of
// memory for each that cannot leave (bench fabric).
inline constexpr uint32_t kMaxInjected = 64;
// The most seconds that they stay so if no other message follows, by the clock
// of waits (waited.h). Reasoned, not measured.
inline constexpr uint32_t kMaxInjectedAge = 2;
// Room for arrivals in a queue that must not overrun, if a job does not need
// more. Reasoned, not measured.
inline constexpr size_t kQueuedArrivals = 32768;
// Entries of a queue if the provider keeps completions for which the queue has
// no room: half of kQueuedArrivals, since a queue that is too small costs only
// time. Reasoned, not measured.
inline constexpr size_t kMaxEntries = 16384;
// Operations posted at once, for providers without a limit of their own, which
// keep them in memory. Reasoned, not measured.
inline constexpr size_t kMaxPosted = 1024;

// The largest put that is copied to a bounce buffer, if its source must be
// reusable at once and it is not injected. A larger one waits for its
// completion, which takes little longer than the copy. Reasoned, not measured.
inline constexpr size_t kBounceBytes = 65536;
// The number of bounce buffers: 1 MiB in total, and several puts overlap.
// Reasoned, not measured.
inline constexpr size_t kBounces = 16;
// The largest payload of a Long that goes ahead as a put. Reasoned, not
// measured.
inline constexpr size_t kMaxNative = size_t{1} << 30;

// Completions that one look takes from the queue: their records stay in the
// first-level cache, and one call serves a burst. Reasoned, not measured.
inline constexpr size_t kBatch = 16;
// One of this many looks that find nothing reads the clock, so its cost does
// not matter. Reasoned, not measured.
inline constexpr uint32_t kLooksPerClock = 256;
// The time after which an operation that the library has refused is tried
// again. Reasoned, not measured.
inline constexpr int64_t kLookAgain = 1'000'000;  // ns
// The naps of a sleeping thread that no descriptor can wake (naps.h). A nap is
// 1/kShareOfIdle of the time in which nothing has arrived, and at most
// kNapsOfLook times as long as a look. A look takes 3 to 30 us, depending on
// the provider and the number of peers. So an idle rank uses less than 1 % of a
// processor (bench idle, with GASNET_OFI_WAIT=naps).
inline constexpr int64_t kShareOfIdle = 16;
inline constexpr int64_t kNapsOfLook = 192;
inline constexpr int64_t kMinNap = 50'000;      // ns
inline constexpr int64_t kMaxNap = 10'000'000;  // ns

// Silence of a peer after which it is reported: longer than most programs
// compute without a call, and short for a waiting user. Reasoned, not measured.
inline constexpr double kSilenceNotice = 30;  // s
// The time between two looks at waiting operations. The clock of waits
// (waited.h) advances by one each time. It suits limits of seconds. Reasoned,
// not measured.
inline constexpr int64_t kSilenceInterval = 1'000'000'000;  // ns
// The number of these intervals after which this rank stops waiting for a
// transfer to a rank that has left, since some providers never report such a
// transfer. Longer than a completion takes to arrive. Reasoned, not measured.
inline constexpr uint32_t kPatienceWithLeft = 2;

// The longest time that a rank waits at its end until all its messages have
// left, and the time between two looks. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_TUNING_H_
