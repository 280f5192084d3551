// Constants that tune the ofi conduit.
#ifndef CONDUITS_OFI_TUNING_H_
#define CONDUITS_OFI_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::ofi {

// The eager limit: the largest payload that is sent in one frame. Such a frame
// is smaller than those that providers send by a rendezvous (16 KiB and more).
// A frame of 64 KiB would need a rendezvous, and sometimes arrives damaged in a
// multi-receive buffer of ofi_rxm 1.17 (seen in bench fabric). kMinWhole is the
// limit for jobs that are so large that windows are small. Apart from the
// damage, this is reasoned, not measured.
inline constexpr size_t kWholeMedium = 8192;
inline constexpr size_t kMinWhole = 512;
// kWindowBytes is the credit window of a peer in a lane. kAllWindowsBytes is
// the maximum that the windows of all peers take of a rank's receive buffers.
// Both are in bytes (bench fabric, floods).
inline constexpr size_t kWindowBytes = 128 << 10;
inline constexpr size_t kAllWindowsBytes = 64 << 20;
// The size and number of receive buffers, if a job does not need more.
// Reasoned, not measured.
inline constexpr size_t kMinBuffer = 256 << 10;
inline constexpr size_t kReceiveBuffers = 4;
// The number of send buffers in a lane. They take 2 MiB with the largest
// frames. Fewer messages are under way to a few peers between two polls.
// Reasoned, not measured.
inline constexpr size_t kSends = 256;
// The largest number of injected messages to a peer that are not known to have
// left. So only one of 64 messages in a row has a completion. A provider keeps
// some KiB of memory for each message that cannot leave (bench fabric).
inline constexpr uint32_t kMaxInjected = 64;
// The time, in seconds of the clock of waits (waited.h), after which a mark is
// sent behind injected messages that are not known to have left, if no other
// message follows them. Reasoned, not measured.
inline constexpr uint32_t kMaxInjectedAge = 2;
// The number of queue entries for arrivals if the queue must not overrun and
// the job does not need more. Reasoned, not measured.
inline constexpr size_t kQueuedArrivals = 32768;
// The largest number of entries of a queue, if the provider keeps completions
// for which the queue has no room. It is half of kQueuedArrivals, because such
// a queue costs only time if it is too small. Reasoned, not measured.
inline constexpr size_t kMaxEntries = 16384;
// The largest number of operations posted at once, for providers without a
// limit of their own. Such providers keep the operations in memory. Reasoned,
// not measured.
inline constexpr size_t kMaxPosted = 1024;

// The largest put that is copied to a bounce buffer, if its source must be
// reusable at once and it is not injected. A larger one waits for its
// completion, which takes little longer than the copy. Reasoned, not measured.
inline constexpr size_t kBounceBytes = 65536;
// The number of bounce buffers. They take 1 MiB in total, and let several puts
// overlap. Reasoned, not measured.
inline constexpr size_t kBounces = 16;
// The largest payload of a Long, in bytes, that goes ahead of the header as a
// put. Reasoned, not measured.
inline constexpr size_t kMaxNative = size_t{1} << 30;

// The largest number of completions that one poll takes from the queue. Their
// records stay in the first-level cache, and one call serves a burst. Reasoned,
// not measured.
inline constexpr size_t kBatch = 16;
// One of this many polls that find nothing reads the clock, so the cost of
// reading it does not matter. Reasoned, not measured.
inline constexpr uint32_t kLooksPerClock = 256;
// The time after which an operation that the library has refused is tried
// again. Reasoned, not measured.
inline constexpr int64_t kLookAgain = 1'000'000;  // ns
// The naps of a sleeping thread that no descriptor can wake (naps.h). A nap is
// 1/kShareOfIdle of the time in which nothing has arrived, and at most
// kNapsOfLook times as long as a poll. A poll takes 3 to 30 us, depending on
// the provider and the number of peers. So an idle rank uses less than 1 % of a
// processor (bench idle, with GASNET_OFI_WAIT=naps).
inline constexpr int64_t kShareOfIdle = 16;
inline constexpr int64_t kNapsOfLook = 192;
inline constexpr int64_t kMinNap = 50'000;      // ns
inline constexpr int64_t kMaxNap = 10'000'000;  // ns

// The length of a peer's silence that is reported. It is longer than most
// programs compute without a GASNet call, and short for a waiting user.
// Reasoned, not measured.
inline constexpr double kSilenceNotice = 30;  // s
// The time between two checks of the operations that a rank waits for. The
// clock of waits (waited.h) advances by one with each check. The value suits
// limits of seconds. Reasoned, not measured.
inline constexpr int64_t kSilenceInterval = 1'000'000'000;  // ns
// The number of kSilenceInterval after which this rank stops waiting for a
// transfer to a rank that has left, because some providers never report such a
// transfer. It is longer than a completion takes to arrive. Reasoned, not
// measured.
inline constexpr uint32_t kPatienceWithLeft = 2;

// A rank that ends first waits until all its messages have left, but at most
// kDrainLimit. kDrainInterval is the time between two polls meanwhile.
// Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
inline constexpr int64_t kDrainInterval = 100'000;   // ns

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_TUNING_H_
