// Finds the cause of a job's delay. Ranks wait for other ranks, for example for
// a rank that has not entered a barrier, or for a peer without room. The waits
// for known ranks are the edges of a graph. The sinks of the graph are ranks
// that others wait for and that wait for no rank. The sinks are the causes, and
// are named first. A graph without a sink has a cycle.
//
// Ranks that wait for the same event share a line. So the diagnosis is short
// for any number of ranks.
#ifndef JOB_STATUS_DIAGNOSIS_H_
#define JOB_STATUS_DIAGNOSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "job/status/job_status.h"

namespace gasnet::job {

// Returns lines about the waits that have taken at least `shortest_nanos`. The
// cause for which most ranks wait comes first. Returns no lines if all waits
// are shorter.
std::vector<std::string> Diagnose(const JobView& job, int64_t shortest_nanos);

// Returns the lines of Diagnose in a form that can be compared with those of
// another moment. The lines have no times. They do not distinguish a process
// that runs from one that sleeps, because these states alternate.
std::vector<std::string> CausesOf(const JobView& job, int64_t shortest_nanos);

// Returns the time of the longest wait in GASNet, of a thread or a network.
// Returns 0 if nothing waits.
int64_t LongestWait(const JobView& job);

}  // namespace gasnet::job

#endif  // JOB_STATUS_DIAGNOSIS_H_
