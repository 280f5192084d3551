// The traces of the ranks of one job, on one time axis.
//
// The axis is rank 0's clock. All ranks of a host share one clock, so the best
// estimate of any rank holds for all ranks of its host. A clock's offset is
// estimated at the start and at the end, and is assumed to change evenly in
// between. If a host's clock has no estimate, the dates at which its ranks
// started give a guess, and the error is unknown.
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

// The clock of a host, and the offset of this clock to rank 0's clock.
struct HostClock {
  std::optional<observe::TraceOffset> start;
  std::optional<observe::TraceOffset> end;
  // The offset for a clock without estimates.
  int64_t guess = 0;

  // Returns the offset to rank 0's clock when this clock shows `nanos`.
  int64_t OffsetAt(int64_t nanos) const;
  // Returns the largest error of the offset in nanoseconds, if the error is
  // known.
  std::optional<int64_t> Error() const;
};

class JobTrace {
 public:
  // Adds the trace of a rank. Returns an error, and leaves the trace out, in
  // two cases: there is already a trace of the same rank, or the trace's job
  // has another number of ranks.
  absl::Status Add(RankTrace trace);

  // Makes the time axis. Called once all ranks are added.
  void Align();

  // ranks returns the traces in the order of ranks. PlaceOf returns the index
  // of a rank's trace. Some ranks of the job may have no trace.
  const std::vector<RankTrace>& ranks() const { return ranks_; }
  std::optional<size_t> PlaceOf(uint32_t rank) const;

  // Converts the time `nanos` of the rank at `place` to the time axis. Time 0
  // on the axis is the start of the rank that started first.
  int64_t OnAxis(size_t place, int64_t nanos) const;
  std::optional<int64_t> ErrorOf(size_t place) const;

  // Returns the ranks without a trace, for instance "2, 5 to 7". Returns an
  // empty string if every rank has a trace.
  std::string MissingRanks() const;
  size_t hosts() const { return clocks_.size(); }

 private:
  int64_t ByRank0(size_t place, int64_t nanos) const;
  void Guess();

  std::vector<RankTrace> ranks_;
  std::map<uint32_t, HostClock> clocks_;  // keyed by the index of the host
  int64_t origin_ = 0;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_JOB_TRACE_H_
