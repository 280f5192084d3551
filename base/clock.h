// Time for deadlines, back-off and measurement: nanoseconds of CLOCK_MONOTONIC.
// All processes of a host see the same clock. It never goes back.
#ifndef BASE_CLOCK_H_
#define BASE_CLOCK_H_

#include <time.h>

#include <cstdint>
#include <limits>

namespace gasnet {

inline constexpr int64_t kNanosPerMilli = 1'000'000;
inline constexpr int64_t kNanosPerSecond = 1'000'000'000;
inline constexpr int64_t kSecondsPerDay = 86400;

// A deadline that never comes.
inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

inline int64_t NowNanos() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNanosPerSecond + now.tv_nsec;
}

inline timespec ToTimespec(int64_t nanos) {
  return {.tv_sec = nanos / kNanosPerSecond,
          .tv_nsec = nanos % kNanosPerSecond};
}

}  // namespace gasnet

#endif  // BASE_CLOCK_H_
