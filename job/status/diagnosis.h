// Finds the cause of a job's delay. A rank waits for other ranks, for example
// for those that have not entered a barrier, or for a peer without room. Waits
// for known ranks are the edges of a graph. The sinks of the graph are the
// causes, and are named first: ranks that others wait for and that wait for no
// rank. A graph without a sink has a cycle.
//
// Ranks that wait for the same event share a line, so the diagnosis is short
// for any number of ranks.
#ifndef JOB_STATUS_DIAGNOSIS_H_
#define JOB_STATUS_DIAGNOSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "job/status/job_status.h"

namespace gasnet::job {

// Returns lines about the waits that have taken at least `shortest_nanos`. The
// cause for which most ranks wait comes first. Returns no lines if there is no
// such wait.
std::vector<std::string> Diagnose(const JobView& job, int64_t shortest_nanos);

// Returns the lines of Diagnose for comparison with another moment. So the
// lines have no times, and do not distinguish a process that runs from one that
// sleeps, since these states alternate.
std::vector<std::string> CausesOf(const JobView& job, int64_t shortest_nanos);

// Returns the time of the longest wait in GASNet, or 0 if there is none.
int64_t LongestWait(const JobView& job);

}  // namespace gasnet::job

#endif  // JOB_STATUS_DIAGNOSIS_H_
