// For tests: views of a healthy job, and functions that change them.
#ifndef JOB_STATUS_TESTING_JOB_VIEW_H_
#define JOB_STATUS_TESTING_JOB_VIEW_H_

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "job/status/job_status.h"

namespace gasnet::job {

// Returns a job whose ranks poll and are asleep at the moment.
inline JobView PollingJob(uint32_t ranks) {
  JobView job(ranks);
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    job[rank].name = absl::StrCat("rank ", rank, " (h, pid ", 100 + rank, ")");
    job[rank].status.has_page = true;
    job[rank].status.process = 'S';
  }
  return job;
}

// Makes the rank have waited for `seconds`.
inline void Wait(RankView& rank, const Waiting& waiting, int64_t seconds) {
  AddWait(rank.status,
          {.waiting = waiting, .nanos = seconds * kNanosPerSecond});
}

// Makes the rank begin barrier `number`, and have waited in it for `seconds`.
inline void WaitInBarrier(RankView& rank, uint64_t number, int64_t seconds) {
  rank.status.barriers = static_cast<uint32_t>(number);
  Wait(rank, {.what = WaitFor::kBarrier, .first = number}, seconds);
}

inline Waiting RoomTo(uint32_t peer) {
  return {.what = WaitFor::kRoom, .peer = peer};
}

// Makes the rank compute: the rank has not polled for `seconds`.
inline void Compute(RankView& rank, int64_t seconds, char process = 'R') {
  rank.status.unpolled_nanos = seconds * kNanosPerSecond;
  rank.status.process = process;
}

}  // namespace gasnet::job

#endif  // JOB_STATUS_TESTING_JOB_VIEW_H_
