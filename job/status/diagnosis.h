// Finds what holds up a job. Each wait of a rank is for other ranks, as far as
// is known: for those that have not come to a barrier, for a peer without room.
// These edges make a graph. Its ends are named first: ranks that others wait
// for and that wait for nobody. Where there is no end, there is a cycle.
//
// Ranks that wait for the same are one line, and so it is short for any number
// of ranks.
#ifndef JOB_STATUS_DIAGNOSIS_H_
#define JOB_STATUS_DIAGNOSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "job/status/job_status.h"

namespace gasnet::job {

// Returns lines about the waits that have taken at least that long, the cause
// that most ranks wait for first. Returns none if there is no such wait.
std::vector<std::string> Diagnose(const JobView& job, int64_t shortest_nanos);

// Returns the time of the longest wait in GASNet, 0 if there is none.
int64_t LongestWait(const JobView& job);

}  // namespace gasnet::job

#endif  // JOB_STATUS_DIAGNOSIS_H_
