// Constants that tune the ofi conduit.
#ifndef CONDUITS_OFI_TUNING_H_
#define CONDUITS_OFI_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ofi {

// kWholeMedium is the eager limit: the maximum payload, in bytes, that is sent
// in one frame. Providers send messages of 16 KiB and more by a rendezvous; an
// eager frame is smaller. A frame of 64 KiB would need a rendezvous, and
// sometimes arrives damaged in a multi-receive buffer of ofi_rxm 1.17 (seen in
// bench fabric). kMinWhole is the limit in jobs so large that windows are
// small. Apart from the damage, this is reasoned, not measured.
inline constexpr size_t kWholeMedium = 8192;
inline constexpr size_t kMinWhole = 512;
// kWindowBytes is the credit window of a peer in a lane. kAllWindowsBytes is
// the maximum total size of the windows of all peers in a rank's receive
// buffers. Both are in bytes (bench fabric, floods).
inline constexpr size_t kWindowBytes = 128 << 10;
inline constexpr size_t kAllWindowsBytes = 64 << 20;
// The minimum size and the number of receive buffers. A job that needs more
// memory has larger buffers. Reasoned, not measured.
inline constexpr size_t kMinBuffer = 256 << 10;
inline constexpr size_t kReceiveBuffers = 4;
// The number of send buffers in a lane. With the largest frames, these buffers
// take 2 MiB. Between two polls, fewer messages are under way to a few peers.
// Reasoned, not measured.
inline constexpr size_t kSends = 256;
// The maximum number of injected messages to a peer that are not known to have
// left. So one of 64 messages in a row has a completion. A provider keeps some
// KiB of memory for each message that cannot leave (bench fabric).
inline constexpr uint32_t kMaxInjected = 64;
// The time, in seconds (waited.h), after which a mark is sent behind injected
// messages if no other message has followed them. The mark shows when they have
// left. Reasoned, not measured.
inline constexpr uint32_t kMaxInjectedAge = 2;
// The number of queue entries for arrivals if the queue must not overrun and
// the job does not need more. Reasoned, not measured.
inline constexpr size_t kQueuedArrivals = 32768;
// The maximum number of entries of a queue, if the provider keeps completions
// for which the queue has no room. If this queue is too small, it costs only
// time. So the number is half of kQueuedArrivals. Reasoned, not measured.
inline constexpr size_t kMaxEntries = 16384;
// The maximum number of operations posted at once, for providers without a
// limit of their own. These providers keep the operations in memory. Reasoned,
// not measured.
inline constexpr size_t kMaxPosted = 1024;

// The maximum size, in bytes, of a put that is copied to a bounce buffer if its
// source must be reusable at once and the put is not injected. A larger put
// waits for its completion. This takes little longer than the copy. Reasoned,
// not measured.
inline constexpr size_t kBounceBytes = 65536;
// The number of bounce buffers. Together the buffers take 1 MiB, and let
// several puts overlap. Reasoned, not measured.
inline constexpr size_t kBounces = 16;
// The maximum payload, in bytes, of a Long. The payload goes ahead of the
// header as a put. Reasoned, not measured.
inline constexpr size_t kMaxNative = size_t{1} << 30;

// The maximum number of completions that one poll takes from the queue. The
// records of the completions stay in the first-level cache, and one call serves
// a burst. Reasoned, not measured.
inline constexpr size_t kBatch = 16;
// One of this many polls that find nothing reads the clock. The cost of reading
// is then negligible. Reasoned, not measured.
inline constexpr uint32_t kLooksPerClock = 256;
// The time after which an operation that the provider has refused is tried
// again. Reasoned, not measured.
inline constexpr int64_t kLookAgain = 1'000'000;  // ns
// The naps of a sleeping thread that no descriptor can wake (naps.h). A nap is
// 1/kShareOfIdle of the time in which nothing has arrived, and at most
// kNapsOfLook times as long as a poll. A poll takes 3 to 30 us, depending on
// the provider and the number of peers. An idle rank thus uses less than 1 % of
// a processor (bench idle, with GASNET_OFI_WAIT=naps).
inline constexpr int64_t kShareOfIdle = 16;
inline constexpr int64_t kNapsOfLook = 192;
inline constexpr int64_t kMinNap = 50'000;      // ns
inline constexpr int64_t kMaxNap = 10'000'000;  // ns

// The time between two checks of the operations that a rank waits for. The
// clock of waits (waited.h) advances by one with each check. Limits are in
// seconds, so a second is fine enough. Reasoned, not measured.
inline constexpr int64_t kSilenceInterval = 1'000'000'000;  // ns
// This rank stops waiting for a transfer to a rank that has left after this
// many times kSilenceInterval. Some providers never report such a transfer. A
// completion takes less time to arrive. Reasoned, not measured.
inline constexpr uint32_t kPatienceWithLeft = 2;

// A rank that ends waits until all its messages have left, but at most
// kDrainLimit. While it waits, it polls each kDrainInterval. Reasoned, not
// measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_TUNING_H_
