#include "core/observe/clock_offset.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gasnet::observe {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

int64_t Minus(int64_t a, int64_t b) {
  int64_t result;
  if (!__builtin_sub_overflow(a, b, &result)) return result;
  return b < 0 ? kMost : kLeast;
}

int64_t Middle(int64_t a, int64_t b) {
  return a / 2 + b / 2 + (a % 2 + b % 2) / 2;
}

struct Interval {
  int64_t lower;
  int64_t upper;

  int64_t Width() const { return Minus(upper, lower); }
};

Interval IntervalOf(const ClockRound& round) {
  return {Minus(round.before_of_rank0, round.after),
          Minus(round.after_of_rank0, round.before)};
}

}  // namespace

ClockEstimate EstimateOffset(std::span<const ClockRound> rounds) {
  if (rounds.empty()) return {{0, kNoTraceOffset, 0}, false};
  Interval common{kLeast, kMost};
  Interval narrowest = IntervalOf(rounds.front());
  for (const ClockRound& round : rounds) {
    const Interval bounds = IntervalOf(round);
    common.lower = std::max(common.lower, bounds.lower);
    common.upper = std::min(common.upper, bounds.upper);
    if (bounds.Width() < narrowest.Width()) narrowest = bounds;
  }
  ClockEstimate estimate;
  if (common.lower > common.upper) {
    estimate.is_widened = true;
    std::swap(common.lower, common.upper);
    common.lower = std::min(common.lower, narrowest.lower);
    common.upper = std::max(common.upper, narrowest.upper);
  }
  const int64_t width = common.Width();
  estimate.offset = {
      .nanos = Middle(common.lower, common.upper),
      // Rounds the error up, since the middle is rounded.
      .error_nanos = width / 2 + width % 2,
      .at_nanos = Middle(rounds.front().before, rounds.back().after)};
  return estimate;
}

TraceOffset SameClock(int64_t at_nanos) { return {0, 0, at_nanos}; }

}  // namespace gasnet::observe
