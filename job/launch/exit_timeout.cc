#include "job/launch/exit_timeout.h"

#include <algorithm>

#include "base/clock.h"
#include "base/env.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

// The largest accepted number of seconds: eleven days.
constexpr double kLongest = 1e6;

}  // namespace

int64_t ExitTimeoutNanos(uint32_t size) {
  const double min =
      EnvDouble("GASNET_EXITTIMEOUT_MIN", kMinGrace, 0, kLongest);
  const double max =
      EnvDouble("GASNET_EXITTIMEOUT_MAX", kMaxGrace, 0, kLongest);
  const double factor =
      EnvDouble("GASNET_EXITTIMEOUT_FACTOR", kGraceOfRank, 0, kLongest);
  const double seconds = EnvDouble(
      "GASNET_EXITTIMEOUT", std::min(max, min + factor * size), 0, kLongest);
  return static_cast<int64_t>(seconds * kNanosPerSecond);
}

}  // namespace gasnet::job
