// The memory that the control groups of this process leave it.
#ifndef JOB_MEMORY_CGROUP_MEMORY_H_
#define JOB_MEMORY_CGROUP_MEMORY_H_

#include <cstdint>
#include <string>

namespace gasnet::job {

// The least that a control group (version 1 or 2, the process's own or any
// above it) leaves: its limit minus its use, where page cache that can be given
// back does not count as use. UINT64_MAX without a limit. `root` stands in
// front of every path ("" for the system's own; tests bring their own tree).
uint64_t AvailableCgroupMemory(const std::string& root = "");

}  // namespace gasnet::job

#endif  // JOB_MEMORY_CGROUP_MEMORY_H_
