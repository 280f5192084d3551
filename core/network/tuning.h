// Constants that tune the link of a host and a network.
#ifndef CORE_NETWORK_TUNING_H_
#define CORE_NETWORK_TUNING_H_

#include <cstdint>

namespace gasnet::network {

// The minimum time between two looks at the network by sends or
// PollInPassing(), if a look is a system call: the time of sending a few
// messages (bench network).
inline constexpr int64_t kLookInterval = 5'000;  // ns
// The number of polls of an endpoint's link before each look at the rank's
// other endpoints. The look serves the endpoints that no thread polls.
// Reasoned, not measured.
inline constexpr uint32_t kPollsPerLook = 16;
// The longest time for which a sleeper may miss an event if its wake-up is not
// certain. Reasoned, not measured.
inline constexpr int64_t kGlance = 1'000'000;  // ns
// The time after which an unreachable peer ends the job. Longer than job
// control takes to report the peer's end, even on a busy machine. Reasoned, not
// measured.
inline constexpr int64_t kPatience = 5'000'000'000;  // ns

}  // namespace gasnet::network

#endif  // CORE_NETWORK_TUNING_H_
