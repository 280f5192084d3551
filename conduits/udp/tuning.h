// Constants that tune the udp conduit. core/datagram/tuning.h has the constants
// of its datagrams.
#ifndef CONDUITS_UDP_TUNING_H_
#define CONDUITS_UDP_TUNING_H_

#include <cstdint>

namespace gasnet::udp {

// Silence after which a peer is reported. It is longer than most programs
// compute without a call, but short for a waiting user. Reasoned, not measured.
inline constexpr double kSilenceNotice = 20;  // s

// The longest time that an ending rank waits until all its messages have
// arrived. A limit is needed because a peer that computes may acknowledge
// nothing. Reasoned, not measured.
inline constexpr int64_t kDrainLimit = 250'000'000;  // ns
// While an ending rank waits for its messages to arrive, it checks this often.
// kPatientInterval applies if the rank returns from main while the job goes on,
// because the wait may then take long. Reasoned, not measured.
inline constexpr int64_t kDrainInterval = 100'000;      // ns
inline constexpr int64_t kPatientInterval = 1'000'000;  // ns

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_TUNING_H_
