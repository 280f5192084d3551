// The memory that this process's control groups leave available.
#ifndef JOB_MEMORY_CGROUP_MEMORY_H_
#define JOB_MEMORY_CGROUP_MEMORY_H_

#include <cstdint>
#include <string>

namespace gasnet::job {

// Returns the least memory that a control group leaves: its limit minus its
// use, which excludes reclaimable page cache. The groups are the process's own
// and all above it, of version 1 or 2. Returns UINT64_MAX without a limit.
// `root` is prepended to every path ("" for the system's own; tests use their
// own tree).
uint64_t AvailableCgroupMemory(const std::string& root = "");

}  // namespace gasnet::job

#endif  // JOB_MEMORY_CGROUP_MEMORY_H_
