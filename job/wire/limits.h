// The limits of a job. All code that checks a count or length against one of
// them includes this header.
#ifndef JOB_WIRE_LIMITS_H_
#define JOB_WIRE_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::job {

// GASNET_MAXNODES: the number of ranks in one job.
inline constexpr uint32_t kMaxNodes = 65535;

// The longest contribution of one rank to an AllGather.
inline constexpr size_t kMaxGatherBytes = 16 << 10;

// The longest encoded status of a rank.
inline constexpr size_t kMaxStatusBytes = 1024;

// The longest encoded statistics of a rank.
inline constexpr size_t kMaxStatisticsBytes = 256 << 10;

// The longest environment block and configuration string.
inline constexpr size_t kMaxEnvironmentBytes = 32 << 20;
inline constexpr size_t kMaxConfigBytes = 1024;

}  // namespace gasnet::job

#endif  // JOB_WIRE_LIMITS_H_
