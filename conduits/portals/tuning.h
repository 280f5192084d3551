// Constants that tune the portals conduit. Most are defaults of settings
// (settings.cc). Other sizes follow from the settings (plan.h, credits/).
// credits/tuning.h has the constants of credits.
#ifndef CONDUITS_PORTALS_TUNING_H_
#define CONDUITS_PORTALS_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "core/am/tuning.h"

namespace gasnet::portals_conduit {

// Defaults of three settings: the maximum number of operations, of request
// chunks, and of reply chunks under way at once. From the notes on the original
// conduit; not measured.
inline constexpr int64_t kOperations = 250;
inline constexpr int64_t kRequestChunks = 512;
inline constexpr int64_t kReplyChunks = 64;
// The maximum number of events that one poll takes from each queue; 0 means
// all. The safe queue has completions and replies. Each event of the request
// queue runs a handler. The system queue gets few events. From the notes on the
// original conduit; not measured.
inline constexpr int64_t kSafeEvents = 12;
inline constexpr int64_t kRequestEvents = 8;
inline constexpr int64_t kSystemEvents = 0;
// The part of the physical memory that may be registered. From the notes on the
// original conduit; not measured.
inline constexpr double kPinnable = 0.75;

// The maximum number of threads that serve requests at once. Each such thread
// costs a receive buffer. Reasoned, not measured.
inline constexpr uint32_t kServers = 4;
// Room in a queue for events that report no operation: events of the portal
// table, and of linked entries. Reasoned, not measured.
inline constexpr size_t kSlack = 16;
// kSpareEntries is the limit that the conduit requests for queues, for vectors,
// and for list entries other than buffers. It uses few of these. kBellEvents is
// the size of the bell's queue. That queue gets one event for each ring, and
// one for the link of its entry. Reasoned, not measured.
inline constexpr int kSpareEntries = 16;
inline constexpr size_t kBellEvents = 16;
// Descriptors requested of an interface. If no descriptor covers all memory, a
// cache keeps kRegionsKept regions, each with a descriptor. This number is
// twice as large. Reasoned, not measured.
inline constexpr int kDescriptorsWanted = 2048;
// In jobs with more ranks than this, a chunk has 1 KiB instead of 2 KiB. The
// chunk size is the eager limit of a Medium. From the notes on the original
// conduit; not measured here.
inline constexpr uint32_t kManyRanks = 1024;
// The largest put or get that the conduit requests as one operation. Portals
// may grant less, and reports the granted size. Reasoned, not measured.
inline constexpr size_t kMaxBytes = size_t{1} << 30;

// Sizes for messages larger than a chunk (offers.h, fetches.h). kFetchedBytes
// is the largest payload: near 64 KiB, as clients expect. In each lane,
// payloads are offered from kOffersEach buffers, and fetched into kFetchesEach
// buffers. These numbers let a few payloads overlap. Reasoned, not measured.
inline constexpr size_t kFetchedBytes = am::kMaxMedium;
inline constexpr uint32_t kOffersEach = 8;
inline constexpr uint32_t kFetchesEach = 8;

// If an interface has fewer descriptors than this, the barrier uses messages.
// The descriptors are then left to transfers. Reasoned, not measured.
inline constexpr int kFewDescriptors = 16;

// Used if no descriptor covers all memory. A put or get of at most kBounceLimit
// bytes goes through a bounce buffer. A region of the cache has kRegionBytes
// bytes, and the cache keeps kRegionsKept regions. From the notes on the
// original conduit; not measured.
inline constexpr uint64_t kBounceLimit = 2048;
inline constexpr uint64_t kRegionBytes = 128 << 10;
inline constexpr int64_t kRegionsKept = 1024;

// Number of empty polls between two reads of the clock. The clock is read to
// detect stalls, and must not slow polls measurably (bench portals).
inline constexpr uint32_t kPollsPerLook = 1024;
// The longest time until a sleeping thread looks for stalls again. It is short
// compared with the seconds after which a stall is reported. Reasoned, not
// measured.
inline constexpr int64_t kStallInterval = 250 * kNanosPerMilli;
// The maximum time that one check for stalls adds to a stall. Without this
// limit, a minute in which the client only computes would count as waiting.
// Reasoned, not measured.
inline constexpr int64_t kMaxOfLook = kNanosPerSecond;
// The time after which a message is tried again if no event reports when it can
// be sent. Reasoned, not measured.
inline constexpr int64_t kLookAgain = kNanosPerMilli;
// The longest sleep. Callers permit a sleep to end without a reason, so each
// one ends after this time. Reasoned, not measured.
inline constexpr int64_t kMaxMillis = 60'000;
// The shortest sleep that Portals supports. A thread also sleeps this long
// while another thread takes a stashed event, because no event reports the end
// of that work. Reasoned, not measured.
inline constexpr int64_t kMinMillis = 1;

// Time after which this rank gives up on a peer that has left. The peer's last
// reply takes less time to arrive, even over a lossy network. Reasoned, not
// measured.
inline constexpr int64_t kGoneAfter = kNanosPerSecond;

// The longest time that the link of an entry is awaited. Reasoned, not
// measured.
inline constexpr int64_t kLinkPatience = 10 * kNanosPerSecond;
// A rank that ends first waits until all its messages have left, but at most
// kDrainLimit. kDrainInterval is the time between two checks during this wait.
// Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250 * kNanosPerMilli;
inline constexpr int64_t kDrainInterval = 100'000;  // ns

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_TUNING_H_
