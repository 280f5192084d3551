// Constants that tune the portals conduit. Amounts are settings (settings.cc)
// whose defaults are here, or follow from the settings (plan.h, credits/).
// credits/tuning.h has those of credits.
#ifndef CONDUITS_PORTALS_TUNING_H_
#define CONDUITS_PORTALS_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "core/am/tuning.h"

namespace gasnet::portals {

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

// Silence after which a stall is reported: longer than a peer computes in most
// programs, short beside a user's patience. Reasoned, not measured.
inline constexpr double kSilenceNotice = 30;  // s

// Threads that serve requests at once: each costs a receive buffer. Reasoned,
// not measured.
inline constexpr uint32_t kServers = 4;
// Events of a queue beyond those of operations: those of the portal table, and
// of entries that are linked. Reasoned, not measured.
inline constexpr size_t kSlack = 16;
// The limits requested of an interface for things of which the conduit uses
// only a few: list entries beyond those of the buffers, queues, vectors. The
// events of the bell's queue: one for each ring, and one for the linking of its
// entry. Reasoned, not measured.
inline constexpr int kSpareEntries = 16;
inline constexpr size_t kBellEvents = 16;
// Descriptors requested of an interface: twice as many as the cache keeps
// regions (kRegionsKept) if none covers all memory. Reasoned, not measured.
inline constexpr int kDescriptorsWanted = 2048;
// With more ranks than this, a chunk, the eager limit of a Medium, is 1 KiB
// instead of 2. The notes on the original conduit say so; not measured here.
inline constexpr uint32_t kManyRanks = 1024;
// The largest put or get that is requested as one operation. A system's Portals
// may take less, and reports it. Reasoned, not measured.
inline constexpr size_t kMostBytes = size_t{1} << 30;

// Messages that are larger than a chunk (offers.h, fetches.h): the largest,
// near 64 KiB as clients expect, and the number of buffers of each lane that
// payloads are offered from, and of those that they are fetched to. A few
// overlap. Reasoned, not measured.
inline constexpr size_t kFetchedBytes = am::kMaxMedium;
inline constexpr uint32_t kOffersEach = 8;
inline constexpr uint32_t kFetchesEach = 8;

// If an interface has fewer descriptors, the barrier uses messages, since
// transfers need the descriptors. Reasoned, not measured.
inline constexpr int kFewDescriptors = 16;

// If no descriptor covers all memory: the most bytes of a put or get that are
// copied, the bytes of a region of the cache, and the number of regions. The
// notes on the original conduit say so; not measured.
inline constexpr uint64_t kBounceLimit = 2048;
inline constexpr uint64_t kRegionBytes = 128 << 10;
inline constexpr int64_t kRegionsKept = 1024;

// Empty polls from one reading of the clock, for stalls, to the next: a poll's
// time must not show it (bench portals).
inline constexpr uint32_t kPollsPerLook = 1024;
// The time between two looks of a sleeper: short beside the seconds after which
// a stall is reported. Reasoned, not measured.
inline constexpr int64_t kStallInterval = 250 * kNanosPerMilli;
// One look counts for at most this much of a stall: a client that computes for
// a minute has not waited. Reasoned, not measured.
inline constexpr int64_t kMostOfLook = kNanosPerSecond;
// The time after which a message is tried again if no event reports when it may
// go. Reasoned, not measured.
inline constexpr int64_t kLookAgain = kNanosPerMilli;
// The longest sleep; a sleep may end without a reason, and now and then it
// does. Reasoned, not measured.
inline constexpr int64_t kMostMillis = 60'000;
// The shortest sleep that Portals has. An arrival that another thread blocks
// waits this long: no event reports when it may continue. Reasoned, not
// measured.
inline constexpr int64_t kLeastMillis = 1;

// The time after which a peer that has left is given up on: longer than its
// last reply takes to arrive over a network that loses some messages. Reasoned,
// not measured.
inline constexpr int64_t kGoneAfter = kNanosPerSecond;

// Linking an entry takes a moment. Reasoned, not measured.
inline constexpr int64_t kLinkPatience = 10 * kNanosPerSecond;
// The longest time that a rank waits at its end until all that it has sent is
// on its way, and the time between two looks. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250 * kNanosPerMilli;
inline constexpr int64_t kDrainInterval = 100'000;  // ns

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_TUNING_H_
