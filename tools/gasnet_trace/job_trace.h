// The traces of the ranks of one job, on one axis of time.
//
// The axis is rank 0's clock. Each host has one clock, so the best estimate of
// its ranks counts for all of them. Between the estimates of the start and of
// the end, the offset changes evenly. Without any estimate of a host's clock
// the dates at which its ranks started have to do, and the error is unknown.
#ifndef TOOLS_GASNET_TRACE_JOB_TRACE_H_
#define TOOLS_GASNET_TRACE_JOB_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/observe/trace_format.h"
#include "tools/gasnet_trace/rank_trace.h"

namespace gasnet::trace {

// The clock of a host.
struct HostClock {
  std::optional<observe::TraceOffset> start;
  std::optional<observe::TraceOffset> end;
  // The offset if there are no estimates.
  int64_t guess = 0;

  // Returns the offset to rank 0's clock at a time of this clock.
  int64_t OffsetAt(int64_t nanos) const;
  // Returns the error in nanoseconds, if it is known.
  std::optional<int64_t> Error() const;
};

class JobTrace {
 public:
  // Adds a rank. Returns an error, and leaves the rank out, if there is one
  // with its number already, or one of a job of another size.
  absl::Status Add(RankTrace trace);

  // Makes the axis, once all ranks are there.
  void Align();

  // The ranks in order, and the place of a rank there. There may be ranks
  // without a trace.
  const std::vector<RankTrace>& ranks() const { return ranks_; }
  std::optional<size_t> PlaceOf(uint32_t rank) const;

  // Returns the time of an event of the rank at this place, in nanoseconds of
  // the axis, which begins at the start of the first rank.
  int64_t OnAxis(size_t place, int64_t nanos) const;
  std::optional<int64_t> ErrorOf(size_t place) const;

  // Returns the ranks without a trace, such as "2, 5 to 7"; nothing if there
  // are none.
  std::string MissingRanks() const;
  size_t hosts() const { return clocks_.size(); }

 private:
  int64_t ByRank0(size_t place, int64_t nanos) const;
  void Guess();

  std::vector<RankTrace> ranks_;
  std::map<uint32_t, HostClock> clocks_;  // by the index of the host
  int64_t origin_ = 0;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_JOB_TRACE_H_
