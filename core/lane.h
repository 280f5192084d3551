// The two lanes: one for requests, one for replies. Each lane between two ranks
// has its own buffers, credit and queues, so that replies always get through.
#ifndef CORE_LANE_H_
#define CORE_LANE_H_

#include <cstdint>

namespace gasnet {

enum class Lane : uint8_t { kRequest, kReply };
inline constexpr unsigned kLanes = 2;

}  // namespace gasnet

#endif  // CORE_LANE_H_
