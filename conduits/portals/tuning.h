// Constants that tune the portals conduit. How much there is of everything is a
// setting (settings.cc) that begins with a default from here, or follows from
// the settings (plan.h, credits/). credits/tuning.h has those of credits.
#ifndef CONDUITS_PORTALS_TUNING_H_
#define CONDUITS_PORTALS_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::portals {

// Defaults of settings. The notes on the original conduit say so; not measured.
// Operations under way at once. Chunks of requests and of replies under way.
inline constexpr int64_t kOperations = 250;
inline constexpr int64_t kRequestChunks = 512;
inline constexpr int64_t kReplyChunks = 64;
// Events of a queue that one poll takes; 0: all. Of the safe queue, which has
// completions and replies; of requests, each of which runs a handler; of system
// messages, which are few. From the notes too.
inline constexpr int64_t kSafeEvents = 12;
inline constexpr int64_t kRequestEvents = 8;
inline constexpr int64_t kSystemEvents = 0;
// Part of the physical memory that may be registered. From the notes too.
inline constexpr double kPinnable = 0.75;

// Silence after which a stall is reported: longer than a peer computes in most
// programs, short beside a user's patience. Reasoned, not measured.
inline constexpr double kSilenceNotice = 30;  // s

// Threads that serve requests at once: each costs a receive buffer. Reasoned,
// not measured.
inline constexpr uint32_t kServers = 4;
// Events of a queue beyond those of operations: of the portal table, and of
// entries that are linked. Reasoned, not measured.
inline constexpr size_t kSlack = 16;
// Of what an interface is asked for, where the conduit uses a few alone: list
// entries beside those of the buffers, queues, vectors. Events of the queue of
// the bell: one for each ring, and one for the linking of its entry. Reasoned,
// not measured.
inline constexpr int kSpareEntries = 16;
inline constexpr size_t kBellEvents = 16;
// Descriptors that an interface is asked for: where none covers all memory,
// twice as many as the cache keeps regions (kRegionsKept). Reasoned, not
// measured.
inline constexpr int kDescriptorsWanted = 2048;
// Ranks above which a chunk, the eager limit of a Medium, is 1 KiB and not 2:
// what the notes on the original conduit say, not measured here.
inline constexpr uint32_t kManyRanks = 1024;
// The largest put or get that is asked for as one operation. A system's Portals
// may take less, and says so. Reasoned, not measured.
inline constexpr size_t kMostBytes = size_t{1} << 30;

// Where an interface has fewer descriptors the barrier is by message, since
// transfers need them. Reasoned, not measured.
inline constexpr int kFewDescriptors = 16;

// Where no descriptor covers all memory: up to how many bytes a put or get is
// copied, how large a region of the cache is, and how many there are. The notes
// on the original conduit say so; not measured.
inline constexpr uint64_t kBounceLimit = 2048;
inline constexpr uint64_t kRegionBytes = 128 << 10;
inline constexpr int64_t kRegionsKept = 1024;

// Empty polls from one look at the clock, for what has stalled, to the next: it
// must not be seen in a poll (bench portals).
inline constexpr uint32_t kPollsPerLook = 1024;
// A sleeper looks so often: short beside the seconds after which a stall is
// reported. Reasoned, not measured.
inline constexpr int64_t kStallInterval = 250 * kNanosPerMilli;
// One look counts for so much of a stall at most: a client that computes for a
// minute has not waited. Reasoned, not measured.
inline constexpr int64_t kMostOfLook = kNanosPerSecond;
// A message for which no event says when it may go is tried again so often.
// Reasoned, not measured.
inline constexpr int64_t kLookAgain = kNanosPerMilli;
// A sleep may end without a reason: now and then it does. Reasoned, not
// measured.
inline constexpr int64_t kMostMillis = 60'000;
// The shortest sleep that Portals has, and how long an arrival that another
// thread is in the way of waits for it: no event says when it may go on.
// Reasoned, not measured.
inline constexpr int64_t kLeastMillis = 1;

// A peer that has left is given up on so much later: longer than a reply that
// it had sent takes to arrive, over a network that loses some. Reasoned, not
// measured.
inline constexpr int64_t kGoneAfter = kNanosPerSecond;

// Linking an entry is the matter of a moment. Reasoned, not measured.
inline constexpr int64_t kLinkPatience = 10 * kNanosPerSecond;
// At its end a rank waits for so long until all that it has sent is on its way,
// and looks as often. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250 * kNanosPerMilli;
inline constexpr int64_t kDrainInterval = 100'000;  // ns

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_TUNING_H_
