// Constants that tune the udp conduit. core/datagram/tuning.h has the constants
// of its datagrams.
#ifndef CONDUITS_UDP_TUNING_H_
#define CONDUITS_UDP_TUNING_H_

#include <cstdint>

namespace gasnet::udp {

// The longest time that an ending rank waits until all its messages have
// arrived. A limit is needed because a peer that computes may acknowledge
// nothing. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
// While an ending rank waits for its messages to arrive, it checks this often.
// kPatientInterval applies if the rank returns from main while the job goes on,
// because the wait may then take long. Reasoned, not measured.
inline constexpr int64_t kDrainInterval = 100'000;      // ns
inline constexpr int64_t kPatientInterval = 1'000'000;  // ns

// The maximum number of rails of a rank. A limit, not tuning.
inline constexpr unsigned kMaxRails = 8;
// A thread looks at other rails after this many polls. A look costs a system
// call if a rail has not been polled, as much as a poll. Reasoned, not
// measured.
inline constexpr unsigned kPollsPerLook = 64;
// A thread that does not spin looks at other rails if no thread has done so for
// an interval. The interval doubles with each look that finds no message, from
// the shortest to the longest. A look is as expensive as a poll, so looks each
// 20 us would add a sixth to the time of a round trip (bench threads).
inline constexpr int64_t kMinLookInterval = 20'000;   // ns
inline constexpr int64_t kMaxLookInterval = 640'000;  // ns
// A sleeping thread wakes this often while other rails hold messages, and the
// progress thread while it owes replies. Reasoned, not measured.
inline constexpr int64_t kHeldInterval = 1'000'000;  // ns
// The number of looks, one with each poll, after a message on another rail. A
// peer that waits for a reply sends the next message within them. Reasoned, not
// measured.
inline constexpr unsigned kLooksAfterMessage = 64;

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_TUNING_H_
