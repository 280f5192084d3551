// The status of all ranks of a job at one moment, and phrases that describe it.
#ifndef JOB_STATUS_JOB_STATUS_H_
#define JOB_STATUS_JOB_STATUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "job/status/rank_status.h"

namespace gasnet::job {

// A rank as its launcher knows it.
struct RankView {
  enum class Phase : uint8_t {
    kNotJoined,  // The rank has not called gasnet_init.
    kJoined,
    kLeft,   // The rank has called gasnet_exit.
    kEnded,  // The rank's process has ended.
  };

  std::string name;  // For example "rank 17 (b, pid 4711)".
  Phase phase = Phase::kJoined;
  // False if the rank's host has not reported the rank's status. The status
  // then says nothing about the rank.
  bool has_reported = true;
  RankStatus status;

  // Returns true if the rank waits in GASNet.
  bool Waits() const {
    return phase == Phase::kJoined && !status.waits.empty();
  }
  bool IsStopped() const {
    return status.process == 'T' || status.process == 't';
  }
  // Returns true if the rank waits in GASNet but does not poll. The rank is
  // then in a handler that does not end.
  bool WaitsUnserved() const {
    return Waits() && status.unpolled_nanos >= kLongestWithoutPoll;
  }
  // Returns true if the rank itself delays others. Such a rank is stopped,
  // computes without polling, or is not in the job now.
  bool IsAbsent() const {
    return phase != Phase::kJoined || !has_reported || IsStopped() ||
           WaitsUnserved() ||
           (status.waits.empty() &&
            (!status.has_page || status.unpolled_nanos > 0));
  }
};

// Indexed by rank.
using JobView = std::vector<RankView>;

// Returns "1, 3-5 and 9" for ranks in ascending order.
std::string RankList(const std::vector<uint32_t>& ranks);
// Returns the rank's name, or a list such as "ranks 1 and 3-5".
std::string RankNames(const JobView& job, const std::vector<uint32_t>& ranks);

// Returns a time in words, such as "41 s". A time below ten seconds has a
// decimal: "0.3 s".
std::string Duration(int64_t nanos);

// Returns the reason for a wait, such as "in gasnet_barrier_wait" or "for room
// to send to rank 9".
std::string ReasonOf(const Waiting& waiting);

// Returns the condition of a rank, such as "is stopped (SIGSTOP)" or "has not
// polled for at least 41 s, and is running".
std::string ConditionOf(const RankView& rank);

}  // namespace gasnet::job

#endif  // JOB_STATUS_JOB_STATUS_H_
