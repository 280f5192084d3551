// The statistics of a job: sums over its ranks, and the ranks and pairs with
// extreme values. Times are in nanoseconds. Sums contain only ranks that have
// reported.
#ifndef JOB_STATISTICS_JOB_SUMMARY_H_
#define JOB_STATISTICS_JOB_SUMMARY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "job/statistics/rank_statistics.h"
#include "job/statistics/saturating.h"

namespace gasnet::job {

struct Traffic {
  uint64_t operations = 0;
  uint64_t bytes = 0;

  void Add(const Traffic& more) {
    AddTo(operations, more.operations);
    AddTo(bytes, more.bytes);
  }
  bool IsNone() const { return operations == 0 && bytes == 0; }
  bool operator==(const Traffic&) const = default;
};

// Traffic that `rank` has begun, with data to or from `peer`.
struct PairTraffic {
  uint32_t rank = 0;
  uint32_t peer = 0;
  Traffic traffic = {};

  bool operator==(const PairTraffic&) const = default;
};

// The time of one rank, or the sum over several ranks.
struct Times {
  int64_t elapsed = 0;  // since gasnet_attach
  int64_t working = 0;  // in calls of GASNet, without their waits
  int64_t waiting = 0;  // time of the waits in these calls

  int64_t InGasnet() const {
    int64_t sum = working;
    AddTo(sum, waiting);
    return sum;
  }
  // Returns the time outside of GASNet. Returns 0 if several threads together
  // have been in GASNet for longer than the elapsed time.
  int64_t Computing() const {
    return std::max<int64_t>(0, elapsed - InGasnet());
  }
  // Returns the share of waits in the elapsed time, or 0 if no time has
  // elapsed.
  double WaitingShare() const {
    return elapsed == 0
               ? 0
               : static_cast<double>(waiting) / static_cast<double>(elapsed);
  }
  void Add(const Times& more) {
    AddTo(elapsed, more.elapsed);
    AddTo(working, more.working);
    AddTo(waiting, more.waiting);
  }
  bool operator==(const Times&) const = default;
};

// A rank and its share of waits in the elapsed time.
struct WaitingRank {
  uint32_t rank = 0;
  double share = 0;
};

// A group of ranks (rank_groups.h).
struct GroupSummary {
  std::string name = {};
  uint32_t ranks = 0;
  uint32_t reported = 0;
  Times times = {};
  // The traffic of this group's ranks with the ranks of each group. Indexed by
  // group.
  std::vector<Traffic> with = {};
};

struct JobSummary {
  uint32_t ranks = 0;
  uint32_t reported = 0;
  int64_t wall = 0;  // the time of the job, as the launcher has measured it
  Times times = {};
  uint64_t handlers = 0;
  std::vector<CallStatistics> calls = {};       // sorted by time, longest first
  std::vector<WaitStatistics> waits = {};       // one per reason, longest first
  std::vector<NetworkStatistics> network = {};  // sums, sorted by name
  Traffic traffic = {};
  Traffic unknown = {};  // traffic with peers that ranks did not list
  // At most kBusiest pairs. The pair with the most bytes comes first.
  std::vector<PairTraffic> busiest = {};
  WaitingRank least = {};  // meaningful if a rank has reported
  WaitingRank most = {};
  double mean_share = 0;  // The mean of the ranks' shares of waiting.
  std::vector<GroupSummary> groups = {};

  static constexpr size_t kBusiest = 5;
};

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_JOB_SUMMARY_H_
