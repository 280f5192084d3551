// The two lanes: one for requests, one for replies. They travel apart, so that
// replies always get through: each lane between two ranks has its own buffers,
// credit and queues.
#ifndef CORE_LANE_H_
#define CORE_LANE_H_

#include <cstdint>

namespace gasnet {

enum class Lane : uint8_t { kRequest, kReply };
inline constexpr unsigned kLanes = 2;

}  // namespace gasnet

#endif  // CORE_LANE_H_
