// Constants that tune the link of a host and a network.
#ifndef CORE_NETWORK_TUNING_H_
#define CORE_NETWORK_TUNING_H_

#include <cstdint>

namespace gasnet::network {

// A network whose look costs a system call is looked at in passing when nobody
// has done so for as long as a few messages take to send (bench network).
inline constexpr int64_t kLookInterval = 5'000;  // ns
// Of so many polls of an endpoint's link one looks at those of the rank's other
// endpoints, if nobody polls them. Reasoned, not measured.
inline constexpr uint32_t kPollsPerLook = 16;
// How long a sleeper may miss an event that it is not certain to be woken for.
// Reasoned, not measured.
inline constexpr int64_t kGlance = 1'000'000;  // ns
// A peer that cannot be reached is a reason to end the job after this: longer
// than job control takes to report its end, on a busy machine too. Reasoned,
// not measured.
inline constexpr int64_t kPatience = 5'000'000'000;  // ns

}  // namespace gasnet::network

#endif  // CORE_NETWORK_TUNING_H_
