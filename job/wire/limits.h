// The limits of a job. All code that checks a count or length against one of
// these limits includes this header.
#ifndef JOB_WIRE_LIMITS_H_
#define JOB_WIRE_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::job {

// GASNET_MAXNODES: the maximum number of ranks in one job.
inline constexpr uint32_t kMaxNodes = 65535;

// The maximum size in bytes of one rank's contribution to an AllGather.
inline constexpr size_t kMaxGatherBytes = 16 << 10;

// The maximum size in bytes of a rank's encoded status.
inline constexpr size_t kMaxStatusBytes = 1280;

// The maximum size in bytes of a rank's encoded statistics.
inline constexpr size_t kMaxStatisticsBytes = 256 << 10;

// The maximum sizes in bytes of an environment block and of a configuration
// string.
inline constexpr size_t kMaxEnvironmentBytes = 32 << 20;
inline constexpr size_t kMaxConfigBytes = 1024;

}  // namespace gasnet::job

#endif  // JOB_WIRE_LIMITS_H_
