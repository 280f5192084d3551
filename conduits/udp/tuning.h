// Constants that tune the udp conduit. core/datagram/tuning.h has those of its
// datagrams.
#ifndef CONDUITS_UDP_TUNING_H_
#define CONDUITS_UDP_TUNING_H_

#include <cstdint>

namespace gasnet::udp {

// Silence of a peer after which it is reported: longer than most programs
// compute without a call, and short for a waiting user. Reasoned, not measured.
inline constexpr double kSilenceNotice = 20;  // s

// The longest time that a rank waits at its end until all its messages have
// arrived. A peer that computes does not acknowledge. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
// The time between two looks meanwhile. The second one applies if it may take
// long, because the rank returns from main while the job goes on. Reasoned, not
// measured.
inline constexpr int64_t kDrainInterval = 100'000;      // ns
inline constexpr int64_t kPatientInterval = 1'000'000;  // ns

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_TUNING_H_
