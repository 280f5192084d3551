// The offset between the clocks of two ranks, estimated from rounds in which
// all ranks exchange a message.
//
// In a round each rank reads its clock before it contributes to an all-gather,
// and after the all-gather has ended. No rank's all-gather ends before all
// ranks have contributed. This bounds the offset of a rank to rank 0 from both
// sides. The offset is at least rank 0's time before the round minus the rank's
// time after the round. It is at most rank 0's time after minus the rank's time
// before. So each round gives an interval. While both clocks run at the same
// speed, the offset is in all of these intervals.
#ifndef CORE_OBSERVE_CLOCK_OFFSET_H_
#define CORE_OBSERVE_CLOCK_OFFSET_H_

#include <cstdint>
#include <span>

#include "core/observe/trace_format.h"

namespace gasnet::observe {

// One round. Times are nanoseconds of each rank's CLOCK_MONOTONIC.
struct ClockRound {
  int64_t before_of_rank0;
  int64_t after_of_rank0;
  int64_t before;  // times of the rank whose offset is wanted
  int64_t after;
};

struct ClockEstimate {
  TraceOffset offset;
  // True if the intervals have no point in common, because a clock drifts or is
  // wrong. The estimate then contains the narrowest interval, and a point of
  // each of the other intervals.
  bool is_widened = false;
};

// Returns the estimate. The offset is the middle of the intersection of all
// intervals, and the error is half the width of the intersection. The time is
// the middle of all rounds. Without rounds the offset is absent. Accepts any
// numbers; results saturate.
ClockEstimate EstimateOffset(std::span<const ClockRound> rounds);

// Returns the offset of a rank that shares rank 0's clock: 0, without error.
TraceOffset SameClock(int64_t at_nanos);

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_CLOCK_OFFSET_H_
