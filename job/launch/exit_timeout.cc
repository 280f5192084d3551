#include "job/launch/exit_timeout.h"

#include <algorithm>

#include "base/clock.h"
#include "base/env.h"

namespace gasnet::job {
namespace {

constexpr double kDefaultMin = 2;
constexpr double kDefaultMax = 120;
constexpr double kDefaultFactor = 0.01;
constexpr double kLongest = 1e6;  // Seconds: eleven days.

}  // namespace

int64_t ExitTimeoutNanos(uint32_t size) {
  const double min =
      EnvDouble("GASNET_EXITTIMEOUT_MIN", kDefaultMin, 0, kLongest);
  const double max =
      EnvDouble("GASNET_EXITTIMEOUT_MAX", kDefaultMax, 0, kLongest);
  const double factor =
      EnvDouble("GASNET_EXITTIMEOUT_FACTOR", kDefaultFactor, 0, kLongest);
  const double seconds = EnvDouble(
      "GASNET_EXITTIMEOUT", std::min(max, min + factor * size), 0, kLongest);
  return static_cast<int64_t>(seconds * kNanosPerSecond);
}

}  // namespace gasnet::job
