// Constants that tune the portals conduit. Most are defaults of settings
// (settings.cc); other amounts follow from the settings (plan.h, credits/).
// credits/tuning.h has those of credits.
#ifndef CONDUITS_PORTALS_TUNING_H_
#define CONDUITS_PORTALS_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "core/am/tuning.h"

namespace gasnet::portals_conduit {

// Defaults of settings, from the notes on the original conduit; not measured.
// Operations under way at once. Chunks of requests and of replies under way.
inline constexpr int64_t kOperations = 250;
inline constexpr int64_t kRequestChunks = 512;
inline constexpr int64_t kReplyChunks = 64;
// The events of a queue that one poll takes; 0: all. The safe queue has
// completions and replies; each request runs a handler; system messages are
// few. From the notes too.
inline constexpr int64_t kSafeEvents = 12;
inline constexpr int64_t kRequestEvents = 8;
inline constexpr int64_t kSystemEvents = 0;
// The part of the physical memory that may be registered. From the notes too.
inline constexpr double kPinnable = 0.75;

// Silence after which a stall is reported: longer than most programs compute
// without a call, and short for a waiting user. Reasoned, not measured.
inline constexpr double kSilenceNotice = 30;  // s

// Threads that serve requests at once. Each costs a receive buffer. Reasoned,
// not measured.
inline constexpr uint32_t kServers = 4;
// Room in a queue for events that do not report operations: those of the portal
// table, and of linked entries. Reasoned, not measured.
inline constexpr size_t kSlack = 16;
// The limits requested of an interface for resources that the conduit uses
// little of: list entries beyond those of the buffers, queues, vectors. Then
// the size of the bell's queue: it gets one event for each ring, and one for
// the link of its entry. Reasoned, not measured.
inline constexpr int kSpareEntries = 16;
inline constexpr size_t kBellEvents = 16;
// Descriptors requested of an interface: twice the number of regions that the
// cache keeps (kRegionsKept) if no descriptor covers all memory. Reasoned, not
// measured.
inline constexpr int kDescriptorsWanted = 2048;
// With more ranks than this, a chunk, which is the eager limit of a Medium, has
// 1 KiB instead of 2 KiB. From the notes on the original conduit; not measured
// here.
inline constexpr uint32_t kManyRanks = 1024;
// The largest put or get that is requested as one operation. Portals may grant
// less, and reports it. Reasoned, not measured.
inline constexpr size_t kMaxBytes = size_t{1} << 30;

// Messages larger than a chunk (offers.h, fetches.h): their largest payload,
// near 64 KiB as clients expect, and for each lane the number of buffers that
// payloads are offered from and fetched into. That lets a few of them overlap.
// Reasoned, not measured.
inline constexpr size_t kFetchedBytes = am::kMaxMedium;
inline constexpr uint32_t kOffersEach = 8;
inline constexpr uint32_t kFetchesEach = 8;

// If an interface has fewer descriptors, the barrier uses messages, since
// transfers need the descriptors. Reasoned, not measured.
inline constexpr int kFewDescriptors = 16;

// Used if no descriptor covers all memory: the most bytes of a put or get that
// is copied, the bytes of a region of the cache, and the number of regions.
// From the notes on the original conduit; not measured.
inline constexpr uint64_t kBounceLimit = 2048;
inline constexpr uint64_t kRegionBytes = 128 << 10;
inline constexpr int64_t kRegionsKept = 1024;

// Empty polls between two readings of the clock, which detect stalls: the time
// of a poll must not show them (bench portals).
inline constexpr uint32_t kPollsPerLook = 1024;
// The time between two looks of a sleeping thread: short compared with the
// seconds after which a stall is reported. Reasoned, not measured.
inline constexpr int64_t kStallInterval = 250 * kNanosPerMilli;
// One look counts for at most this much of a stall: a client that computes for
// a minute has not waited. Reasoned, not measured.
inline constexpr int64_t kMaxOfLook = kNanosPerSecond;
// The time after which a message is tried again if no event reports when it can
// be sent. Reasoned, not measured.
inline constexpr int64_t kLookAgain = kNanosPerMilli;
// The longest sleep. A sleep may end without a reason, so this ends each one
// now and then. Reasoned, not measured.
inline constexpr int64_t kMaxMillis = 60'000;
// The shortest sleep that Portals supports. An arrival that another thread
// blocks waits this long: no event reports when it may continue. Reasoned, not
// measured.
inline constexpr int64_t kMinMillis = 1;

// The time after which a peer that has left is given up on: longer than its
// last reply takes to arrive over a lossy network. Reasoned, not measured.
inline constexpr int64_t kGoneAfter = kNanosPerSecond;

// The longest time that the link of an entry is awaited. Reasoned, not
// measured.
inline constexpr int64_t kLinkPatience = 10 * kNanosPerSecond;
// The longest time that a rank waits at its end until all its messages have
// left, and the time between two looks. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250 * kNanosPerMilli;
inline constexpr int64_t kDrainInterval = 100'000;  // ns

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_TUNING_H_
