// The status of each rank, and the ranks that have reported in the present
// round. Statuses of different rounds must not be compared: a rank that entered
// a barrier between two rounds would seem absent from the barrier. Used by one
// thread.
#ifndef JOB_LAUNCH_STATUS_BOOK_H_
#define JOB_LAUNCH_STATUS_BOOK_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "job/status/rank_status.h"

namespace gasnet::job {

class StatusBook {
 public:
  explicit StatusBook(uint32_t ranks) : entries_(ranks) {}

  // Begins a round, in which no rank has reported yet.
  void BeginRound() {
    for (Entry& entry : entries_) entry.has_reported = false;
  }

  void Take(uint32_t rank, const RankStatus& status, int64_t now) {
    entries_[rank] = {status, now, true};
  }
  bool HasReported(uint32_t rank) const { return entries_[rank].has_reported; }

  // Returns the status that the rank reported in this round. Extends the waits
  // in it to `now`. Returns an empty status if the rank has not reported.
  RankStatus Of(uint32_t rank, int64_t now) const {
    if (!HasReported(rank)) return {};
    RankStatus status = entries_[rank].status;
    const int64_t age = std::max<int64_t>(0, now - entries_[rank].at);
    for (RankWait& wait : status.waits) wait.nanos += age;
    if (status.unpolled_nanos > 0) status.unpolled_nanos += age;
    if (status.network.nanos > 0) status.network.nanos += age;
    return status;
  }

 private:
  struct Entry {
    RankStatus status;
    int64_t at = 0;
    bool has_reported = false;
  };

  std::vector<Entry> entries_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_STATUS_BOOK_H_
