#include "core/runtime/clock_rounds.h"

#include <array>
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "core/observe/clock_offset.h"
#include "job/gather.h"

namespace gasnet::observe {
namespace {

constexpr size_t kRounds = 8;

// The times at which a rank began and ended an all-gather.
struct RoundTimes {
  int64_t before;
  int64_t after;
};

}  // namespace

// Repeats an all-gather. Each one carries the times of the one before.
TraceOffset OffsetOfClock(job::Job& job) {
  std::array<ClockRound, kRounds> rounds;
  RoundTimes mine = {};
  for (size_t i = 0; i <= kRounds; ++i) {
    const int64_t before = NowNanos();
    const std::vector<RoundTimes> all = job::Gather(job, mine);
    if (i > 0) {
      rounds[i - 1] = {all[0].before, all[0].after, mine.before, mine.after};
    }
    mine = {before, NowNanos()};
  }
  return EstimateOffset(rounds).offset;
}

}  // namespace gasnet::observe
