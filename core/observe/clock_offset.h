// The offset between the clocks of two ranks, from rounds in which all ranks
// exchanged a message.
//
// In a round each rank notes its clock before it contributes to an all-gather,
// and after the all-gather has ended. No rank's all-gather ends before all
// ranks have contributed. This bounds the offset of a rank to rank 0 from both
// sides: it is at least rank 0's time before minus the rank's time after, and
// at most rank 0's time after minus the rank's time before. Each round gives an
// interval, and the offset is in all of them while both clocks run at the same
// speed.
#ifndef CORE_OBSERVE_CLOCK_OFFSET_H_
#define CORE_OBSERVE_CLOCK_OFFSET_H_

#include <cstdint>
#include <span>

#include "core/observe/trace_format.h"

namespace gasnet::observe {

// A round, in nanoseconds of each rank's CLOCK_MONOTONIC.
struct ClockRound {
  int64_t before_of_rank0;
  int64_t after_of_rank0;
  int64_t before;  // of the rank whose offset is wanted
  int64_t after;
};

struct ClockEstimate {
  TraceOffset offset;
  // The intervals have no point in common, since a clock drifts or is wrong.
  // The estimate then contains the narrowest interval, and a point of each of
  // the others.
  bool is_widened = false;
};

// Returns the middle of the intersection of all intervals, half of its width as
// the error, and the middle of all rounds as the time of the estimate. Without
// rounds the offset is absent. Accepts any numbers; results saturate.
ClockEstimate EstimateOffset(std::span<const ClockRound> rounds);

// Returns the offset of a rank that shares rank 0's clock: none, without error.
TraceOffset SameClock(int64_t at_nanos);

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_CLOCK_OFFSET_H_
